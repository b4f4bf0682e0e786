/**
 * From what the court found about a fight between peers (`verdict` of @nearfield/rollback/trust) to what is paid for it. Goods follow the outcome that the
 * signed inputs yield, and nothing else. Whose fault is proven gets nothing.
 */
import type { Verdict } from "@nearfield/rollback/trust";
import type { NewGoods } from "../goods/catalogue.ts";
import type { SpaceVerdict } from "./settlement.ts";

type Outcome = NonNullable<Verdict["outcome"]>;

/**
 * @param accounts by the player's number in the fight.
 * @param worth what the outcome is worth, by the player's number; players who are left out earned nothing.
 */
export function verdictFor(
  { outcome, denied, faults }: Pick<Verdict, "outcome" | "denied" | "faults">,
  accounts: readonly string[],
  worth: (outcome: Outcome) => readonly (readonly NewGoods[] | undefined)[],
): SpaceVerdict {
  const refused = denied.map((player) => ({
    account: accounts[player]!,
    reason: faults.find(({ by, isProven }) => by === player && isProven)?.why ?? "a proven fault",
  }));
  if (outcome === undefined) {
    const others = accounts.filter((_, player) => !denied.includes(player));
    const unsigned = others.map((account) => ({ account, reason: "no result is signed by all" }));
    return { accepted: [], denied: [...refused, ...unsigned] };
  }
  const earned = worth(outcome);
  const accepted = accounts.flatMap((account, player) =>
    denied.includes(player) ? [] : [{ account, goods: earned[player] ?? [] }],
  );
  return { accepted, denied: refused };
}
