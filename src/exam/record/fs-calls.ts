import {
  appendFileSync,
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";

/**
 * How files of a record and of the cache are opened: a link in their place is refused, since a cloned project may bring one, and a FIFO does not
 * hold the process. Windows has neither.
 */
const OURS = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
export const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | OURS;
export const REPLACE = constants.O_WRONLY | constants.O_TRUNC | constants.O_CREAT | OURS;
export const CHANGE = constants.O_RDWR | OURS;

/** Every call by which this room changes what is on the disk. A test makes the n-th of them fail, or forgets what was not synced. */
export const files = {
  appendFileSync,
  closeSync,
  fdatasync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
};
