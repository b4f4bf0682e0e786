/** Refusals on their way between servers: a `SocialError` becomes two texts, and the texts a `SocialError` again. */

import { isRefusalCode, SocialError } from "@nearfield/social/internal";
import type { Answered } from "./messages.ts";

/** What the task answers, or its refusal. Any other error is thrown. */
export function refusalOf(task: () => Answered): Answered {
  try {
    return task();
  } catch (error) {
    if (error instanceof SocialError) return { refused: error.code, detail: error.message };
    throw error;
  }
}

export function thrown({ refused = "failed", detail = "" }: Answered): SocialError {
  return new SocialError(isRefusalCode(refused) ? refused : "failed", detail);
}
