/** Thrown inside this folder only: the text does not follow its syntax. It becomes a problem at the door. */
export class Unparseable extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}
