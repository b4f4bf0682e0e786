/** Parties: who may join, who leads, and how they end. */
import { expect, it } from "vitest";
import { refusal, StandIns } from "../../test/stand-ins.ts";
import { Parties } from "./parties.ts";

const person = (account: string): { account: string; name: string } => ({ account, name: account.toUpperCase() });

function parties(most = 3): { parties: Parties; machine: StandIns; told: string[] } {
  const machine = new StandIns();
  const told: string[] = [];
  const { now, randomId } = machine;
  const tell = (account: string, party?: { leader: string; members: readonly { account: string }[] }): void => {
    told.push(`${account}: ${party === undefined ? "none" : party.members.map((one) => one.account).join()}`);
  };
  return { parties: new Parties({ now, randomId, most, tell }), machine, told };
}

it("takes in who was invited, and the lead passes on to who was there longest", () => {
  const { parties: all, told } = parties();
  const { id } = all.invite(person("ann"), "ben");
  all.invite(person("ann"), "cid");
  all.join(person("ben"), id);
  expect(all.join(person("cid"), id)).toMatchObject({
    leader: "ann",
    members: [person("ann"), person("ben"), person("cid")],
  });
  told.length = 0;
  all.leave("ann");
  expect(told).toEqual(["ann: none", "ben: ben,cid", "cid: ben,cid"]);
  expect(all.of("cid")!.leader).toBe("ben");
  expect(all.passLead("ben", "cid").leader).toBe("cid");
  expect(all.expel("cid", "ben").members).toEqual([person("cid")]);
  all.leave("cid");
  expect(all.of("cid")).toBeUndefined();
});

it("refuses strangers, second parties, crowds and those who do not lead", async () => {
  const { parties: all, machine } = parties(2);
  const { id } = all.invite(person("ann"), "ben");
  expect(await refusal(() => all.join(person("eve"), id))).toBe("no-invitation");
  expect(await refusal(() => all.invite(person("ann"), "ann"))).toBe("bad-request");
  expect(await refusal(() => all.leave("eve"))).toBe("no-party");
  all.invite(person("ann"), "cid");
  all.join(person("ben"), id);
  expect(await refusal(() => all.join(person("cid"), id))).toBe("full");
  expect(await refusal(() => all.invite(person("ben"), "dan"))).toBe("full");
  expect(await refusal(() => all.invite(person("ben"), "ann"))).toBe("already");
  expect(await refusal(() => all.expel("ben", "ann"))).toBe("not-leader");
  expect(await refusal(() => all.passLead("ann", "eve"))).toBe("no-party");
  const other = all.invite(person("dan"), "ben");
  expect(await refusal(() => all.join(person("ben"), other.id))).toBe("in-party");
  machine.nowMs += 121_000;
  expect(await refusal(() => all.join(person("ben"), other.id))).toBe("no-invitation");
});

it("bounds open invitations, and goes on without who stays away", async () => {
  const { parties: all, machine } = parties();
  const { id } = all.invite(person("ann"), "ben");
  for (let guest = 0; guest < 19; guest++) all.invite(person("ann"), `guest${guest}`);
  expect(await refusal(() => all.invite(person("ann"), "one more"))).toBe("too-many");
  all.join(person("ben"), id);
  all.note("ann", false);
  machine.nowMs += 30_000;
  all.tick();
  expect(all.of("ann")?.leader).toBe("ann");
  all.note("ann", true);
  machine.nowMs += 100_000;
  all.tick();
  expect(all.of("ann")?.leader).toBe("ann");
  all.note("ann", false);
  machine.nowMs += 60_000;
  all.tick();
  expect(all.of("ann")).toBeUndefined();
  expect(all.of("ben")).toMatchObject({ leader: "ben" });
});
