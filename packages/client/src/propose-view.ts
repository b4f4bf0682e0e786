/** Asks the server for another view. */

import type { ViewSettings } from "@nearfield/core";
import { checkView, refuseUnknownViewKeys } from "@nearfield/core/internal";
import { encodeProposal } from "@nearfield/protocol/internal";
import type { Client } from "./client.ts";
import { type AuthorisedView, KnownView } from "./known-view.ts";

/**
 * Asks for another view; resolves with what the server made of it. Throws `ViewError` for settings that break the
 * rules of a view.
 */
export function proposeView({ inside }: Client, settings: ViewSettings): Promise<AuthorisedView> {
  const { session, store } = inside;
  const { protocol } = store;
  refuseUnknownViewKeys(settings);
  checkView(settings, protocol);
  return KnownView.of(inside).propose((request) =>
    session.pushAs((number) => encodeProposal({ kind: "proposeView", request, settings }, protocol, number)),
  );
}
