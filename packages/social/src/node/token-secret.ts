/** A secret for `openSocial` that lies in the game's store: it outlives restarts, and servers that share a store share it. */

import { randomBytes } from "node:crypto";
import { type Store, table } from "@nearfield/store/internal";

const SECRET_BYTES = 32;
/** The one row. */
const KEY = "tokens";

/** The secret of this game, made at the first call. @param game tells apart what games keep in one store: letters, digits and dashes */
export function tokenSecret(store: Store, game: string): Promise<string> {
  const secrets = table<{ readonly secret: string }>(`${game}-secret`);
  return store.transact(async (transaction) => {
    const known = await transaction.get(secrets, KEY);
    if (known !== undefined) return known.value.secret;
    const secret = randomBytes(SECRET_BYTES).toString("hex");
    transaction.put(secrets, KEY, { secret });
    return secret;
  });
}
