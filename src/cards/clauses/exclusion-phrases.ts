// How authors say what a skill is not for. Each pattern is tried on one clause with quoted text blanked out.

/** Rules out most clauses quickly. */
export const MAY_EXCLUDE =
  /\bnot?\b|n['’]t\b|cannot|\bnever\b|\bexcept|exclud|instead|rather|scope|→|->|\bsee\b|\bfor\b|belong|\bby\b|leave|defer|refer|redirect|route|delegate|hand|send|sent|elsewhere|separately|unsupported|unlike|nothing|other|else|beyond|distinct|different|separate|apart|aside|but|confuse|\b(?:use|try|choose|go(?:es)? to|invoke|load) (?:the )?\S+[-:_]|\b(?:handles|covers|owns|does|takes)\b/i;

/** `refund-desk`, `shop:refund-desk`, `/refund-desk`, a name in backticks, "the refund skill". */
const NAME =
  "(?:the )?(?:`[^`]+`|/?[a-z0-9]+(?:[-:_][a-z0-9]+)+|(?:(?!right\\b|best\\b|correct\\b|appropriate\\b|matching\\b|relevant\\b)[\\w-]+ ){1,3}skill\\b)";
const SOMEBODY = `(?:${NAME}|other skills?|another (?:skill|tool)|an? (?:different|separate|other) (?:skill|tool)|the others?\\b|somebody else|someone else)`;
const USE =
  "(?:use|see|prefer|try|choose|pick|invoke|load|consult|reach for|go to|go with|refer to|defer to|turn to|switch to)";

/**
 * "Use refund-desk for refunds", "If money is owed, use refund-desk"; after one of them also "price-desk for prices".
 * Only names with a hyphen, colon or underscore, since "use X" alone may mean anything.
 */
const ID = "`?/?([a-z0-9]+(?:[-:_][a-z0-9]+)+)`?(?: skill)?";
export const OTHER = new RegExp(
  [
    `^(?:and |but |or |otherwise,? |please |instead of (?:this|it)[^,]*, )*${USE} (?:the )?${ID} (?:for|when|if)\\b`,
    `^(?:if|when)\\b.+?, (?:then |please )?${USE} ${ID}`,
    `[?:] ${USE} (?:the )?${ID}`,
    `^${ID} (?:handles|covers|owns|does|takes(?: care of)?|is (?:for|responsible for))\\b`,
    `\\b(?:should|must) use (?:the )?${ID}`,
  ].join("|"),
  "i",
);
export const OTHERS = new RegExp(`${OTHER.source}|^(?:and |or )?${ID} (?:for|when|if)\\b`, "i");

/** Starts by handing over: "For refunds use refund-desk", "Leave refunds to refund-desk". */
export const HANDS_OVER = new RegExp(
  [
    `^(?:and |but |or )?for\\b.+?\\b${USE} ${NAME}`,
    `^(?:please )?${USE} (?:another|an? (?:different|separate|other)) (?:skill|tool)\\b`,
    "^(?:another|an? (?:different|separate|other)) (?:skill|tool) (?:handles|covers|owns|does|takes|is for)\\b",
    `^(?:leaves?|defers?|refers?|redirects?|routes?|delegates?|sends?|pass(?:es)?|hands?) .+ to ${SOMEBODY}`,
    "^(?:and |but )?(?:routes?|redirects?|sends?) .*\\belsewhere\\b",
  ].join("|"),
  "i",
);

/** Belongs to another skill or to none: "Refunds are out of scope", "refunds → refund-desk". */
export const NOT_OURS = new RegExp(
  [
    `\\b${USE} (?:\\S+ ){1,6}?instead\\b(?! of)`,
    `\\bsee (?:the )?[a-z0-9]+(?:-[a-z0-9]+)+$`,
    // One arrow to one name (what is said about it in brackets is blanked out): a workflow has more arrows.
    `^[^→]+(?:→|->) ?${NAME}_*[.,]?$`,
    `\\b(?:belongs?|go(?:es)?|(?:should|must|will) be (?:routed|sent|left|passed|delegated|handed(?: off| over)?)) (?:to|in) ${SOMEBODY}`,
    `\\b(?:is|are) (?:handled|covered|owned|done|served) by ${SOMEBODY}`,
    `\\b(?:is|are) (?:a job |a task |work )(?:for|of) ${SOMEBODY}`,
    "\\b(?:is|are) (?:not (?:its|our|this skill['’]s|the skill['’]s) (?:job|task|business)|(?:somebody|someone) else['’]s)\\b",
    "\\b(?:is|are|remains?|stays?) (?:explicitly |deliberately |strictly )?(?:out of|not in|outside(?: of)?|beyond)(?: the| its| this skill['’]s| our)? scope\\b",
    "\\b(?:is|are) (?:beyond|outside(?: of)?) (?:this|the) skill\\b|\\b(?:is|are) not what (?:this|the skill|it) is for\\b",
    "\\b(?:is|are) (?:explicitly |deliberately )?(?:not (?:supported|covered|included|handled|part of)|excluded|unsupported)\\b",
    "^.+ (?:excluded|not (?:included|supported|covered|in scope))[.!]?$",
    "\\b(?:is|are) (?:handled|covered|owned|done|served) (?:elsewhere|separately)\\b|\\b(?:go|goes|routes?) elsewhere[.!]?$",
  ].join("|"),
  "i",
);

/** Says what the skill does not do, with the skill or nothing as its subject. */
export const DENIES =
  /^(?:(?:and|but|also|please|note that|it|this|this skill|the skill|this tool)[ ,]+){0,3}(?:(?:does|do|can|will|would|should|must|may|is|are)(?: not|n['’]t)|cannot|can['’]?t|won['’]t|never|(?:it|this|that)['’]s not|no(?!.*\bwithout\b)(?! (?:matter|need|more|longer|idea|way)\b)|not(?! (?:only|just|merely|limited|necessarily|sure|yet)\b)|unlike|distinct from|different from|separate from|(?:any|every)thing (?:except|other than)|other than|apart from|aside from|has nothing to do with)\b/i;

/** Where the author returns to what the skill does. */
export const BUT = /(?<!thing),? but (?!not\b)/i;

/** After these words a sentence lists what users see: "Use when the build hangs; does not link". */
export const SYMPTOMS =
  /\b(?:use|trigger|invoke|activate|apply)\w*(?: this| it| this skill)?(?: when| if| on| for|:)|\bwhen(?:ever)?\b|\bsymptoms?\b|\bphras|\bsuch as\b|\bquestions? like\b|\bsays?\b/i;

/** The text after these words is excluded. */
export const TAIL =
  /(?:,? ?\b(?:(?:any|every)thing but|except(?: for| when| if| in| on| where| that)?|excluding|but not|with the exception of)|(?<=[,(—–]) ?\bnot)(?= (?!only\b|just\b|merely\b|limited\b|necessarily\b|sure\b|yet\b))/i;
