/** What a caller of the client can meet: something was asked for and refused, or the connection has ended. */

import type { ReasonCode } from "@nearfield/protocol";
import type { Refusal } from "@nearfield/protocol/internal";

/** A refusal of the server, the reason the connection ended, or a mistake of the caller. */
export type ClientErrorCode = Refusal | ReasonCode | "bad-option" | "not-held" | "view-refused";

export class ClientError extends Error {
  readonly code: ClientErrorCode;

  /** @param message false in a production build (`IS_DEVELOPMENT`). */
  constructor(code: ClientErrorCode, message: string | false) {
    super(message === false ? code : message);
    this.name = "ClientError";
    this.code = code;
  }
}
