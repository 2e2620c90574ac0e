/** Shorter values are words like `true`: masking them would garble records without hiding anything. */
const SHORTEST = 6;

export function isOrdinary(value: string): boolean {
  if (isWord(value) || /^-?\d{1,7}(\.\d+)?$/.test(value)) return true;
  return (
    /^(~|\.{1,2}|[A-Za-z]:)?[\\/][^\s=+]*$/.test(value) &&
    !value.split(/[\\/]/).some((part) => /^(?=.*\d)(?=.*[A-Z])[\w-]{32,}$/.test(part))
  );
}

export function isWord(value: string): boolean {
  return value.length < SHORTEST || WORDS.has(value.toLowerCase());
}

/** Words of records, reports and logins, and default passwords: masking them would garble half of every record. */
const WORDS = new Set(
  `aborted activation activations always anonymous api-key apikey assistant authorization automatic basic bearer bearer-token blocked
  breached called changeme claude client codex command complete completed default development disable disabled docker embedded enable
  enabled example external failed failure footer gemini grafana header inconclusive interrupted invalid keychain keyring language
  library loaded local localhost manual mariadb measured mentioned message minioadmin misfire missing mongodb native negative never
  oauth oauth-personal oauth2 object optional overloaded passed password positive postgres postgresql predicted prediction private
  production project prompt public question questions rabbitmq refused removed replay required result script secret server service
  session several sibling silent skills skipped source ssh-agent staging standard status stopped string system target targets timeout
  token trials trigger triggers uncertain unchanged undefined unfinished unknown unmeasured unparseable unsure username vagrant verdict
  version warning wordpress`.split(/\s+/),
);
