// Runs inside the sandbox and prints what it finds there. What is writable is opened and closed: no byte is written.
const fs = require("node:fs");
const net = require("node:net");
const { spawnSync } = require("node:child_process");

const socket = `\0${process.argv[2]}`;
/** What opening alone might set off. */
const NEVER = /^\/proc\/(sysrq-trigger|acpi)(\/|$)|^\/sys\/.*\/(remove|rescan|reset|bind|unbind|state)$/;

const opened = ["/proc", "/sys", "/dev"].flatMap(filesIn).filter(opensForWriting);
const mountPoints = fs
  .readFileSync("/proc/self/mounts", "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => line.split(" ")[1]);
connect((sockets) => {
  const found = {
    writable: [...new Set(opened.map((path) => path.replace(/^\/proc\/\d+\/.*/, "/proc/PID/*")))].sort(),
    folders: [...new Set(mountPoints)].filter((path) => isFolder(path) && mayWrite(path)).sort(),
    devices: fs.readdirSync("/dev").sort(),
    processes: fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name)).length,
    queues: ["shm", "msg", "sem"].map(
      (kind) => fs.readFileSync(`/proc/sysvipc/${kind}`, "utf8").trim().split("\n").length - 1,
    ),
    namespaces: spawnSync("unshare", ["--user", "true"]).status === 0,
    sockets,
  };
  console.log(JSON.stringify(found));
});

function filesIn(folder) {
  let entries = [];
  try {
    entries = fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    // Not even to be listed.
  }
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (NEVER.test(path) || entry.isSymbolicLink()) return [];
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

function opensForWriting(path) {
  try {
    fs.closeSync(fs.openSync(path, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK | fs.constants.O_NOCTTY));
    return true;
  } catch {
    return false;
  }
}

function mayWrite(path) {
  try {
    fs.accessSync(path, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function isFolder(path) {
  return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** To a socket that has a name and no file, of a process outside. */
function connect(then) {
  const client = net.connect({ path: socket });
  client.on("connect", () => {
    client.destroy();
    then(true);
  });
  client.on("error", () => then(false));
}
