/** A syntax error. It stays in this folder: `parseDocument` turns it into a problem. */
export class Unparseable extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}
