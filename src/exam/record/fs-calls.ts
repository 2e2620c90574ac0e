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
 * Files of a record or the cache are opened without following links, since a cloned project may bring one, and without
 * blocking on a FIFO. Windows has neither flag.
 */
const OURS = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
export const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | OURS;
export const REPLACE = constants.O_WRONLY | constants.O_TRUNC | constants.O_CREAT | OURS;
export const CHANGE = constants.O_RDWR | OURS;

/** Every call by which this room changes the disk. Tests make the n-th of them fail, or drop what was not synced. */
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
