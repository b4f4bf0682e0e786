/** The lobby of one server keeps what every lobby promises. */
import { describe } from "vitest";
import { LocalLobby } from "../src/internal/index.ts";
import { CONTRACT_QUEUES, lobbyContract } from "./lobby-contract.ts";
import { StandIns } from "./stand-ins.ts";

describe("LocalLobby", () =>
  lobbyContract(async () => {
    const machine = new StandIns();
    const heard: { account: string; kind: string; body: unknown }[] = [];
    const { now, randomId } = machine;
    const tell = (account: string, kind: string, body: unknown): void => void heard.push({ account, kind, body });
    const lobby = new LocalLobby({
      queues: CONTRACT_QUEUES,
      now,
      randomId,
      dice: () => 0,
      isHere: () => true,
      news: {
        party: (account, party) => tell(account, "party", party),
        invited: (account, by, party) => tell(account, "invited", { ...by, party }),
        waiting: (account, isWaiting) => tell(account, "waiting", isWaiting),
        match: (match) => {
          for (const account of match.teams.flat()) tell(account, "match", match);
        },
      },
    });
    return {
      of: () => lobby,
      note: (account, isHere) => lobby.note(account, isHere),
      answered: async (ask) => ask(),
      heard: (account) => heard.filter((one) => one.account === account),
      run: async (ms) => {
        for (let at = 0; at < ms; at += 1000) {
          machine.nowMs += 1000;
          lobby.tick();
        }
      },
    };
  }));
