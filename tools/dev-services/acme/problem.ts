/** An error response (RFC 8555, section 6.7). */
export class AcmeProblem extends Error {
  readonly type: string;
  readonly status: number;

  /** @param type without its prefix. */
  constructor(type: string, detail: string, status = 400) {
    super(detail);
    this.type = `urn:ietf:params:acme:error:${type}`;
    this.status = status;
  }
}
