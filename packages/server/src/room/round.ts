/**
 * The spine of the server: one round of one room, from what clients sent to what they are sent. To follow a changed field: `merge` or
 * `step` writes it, `commit` makes it an update, `findDue` decides which clients must hear of it, `send` encodes it for each client and
 * sends it.
 *
 * Invariant: between the first frame of a round and the last, no player is ended and no code of the game runs. So all frames of a round
 * tell of the same world.
 */

import { mostViewBytes, ProtocolError, viewBytes } from "@nearfield/protocol/internal";
import { BitWriter, writeRecord } from "@nearfield/schema/internal";
import { surelyFit } from "../session/ample.ts";
import { LocalPlayer } from "../session/player.ts";
import type { Action, Session } from "../session/session.ts";
import { WORK } from "../session/time-budget.ts";
import { hears } from "./audience.ts";
import { applyCommands, applyPendingSteps } from "./commands.ts";
import { explainTo } from "./debug.ts";
import { isSettlingRound } from "./foresight.ts";
import { carryOut, mergePivots, mergeWrites, reviewPivots, supersede } from "./merge.ts";
import type { PendingEvent, RoomCore } from "./room-core.ts";
import { mergeRoutedReleases } from "./routed-locks.ts";
import { mergeRoutedWrites } from "./routed-writes.ts";

/** A client that acknowledges nothing may reconnect once. After this many links in a row without any ack it is ended. */
const MOST_UNHEARD_LINKS = 2;

/** The stages of a round, in this order. */
const STAGES = { receive, merge, step, commit, findDue, tell: tellAll, send, audit } as const;

export const STAGE_NAMES: readonly string[] = Object.keys(STAGES);
const stages: readonly ((room: RoomCore, round: number) => void)[] = Object.values(STAGES);

export function runRound(room: RoomCore, round: number): void {
  const { guests } = room;
  guests.roundBegins(round);
  guests.stagesBegin();
  for (let stage = 0; stage < stages.length; stage++) {
    stages[stage]!(room, round);
    guests.stageEnded(stage);
  }
  guests.roundEnded(round);
}

// ── receive ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Acks take effect, and the clients' requests are queued. Clients that went silent or left are ended. */
function receive(room: RoomCore, round: number): void {
  const { ackMs, resumeMs } = room.host.resolved;
  const nowMs = room.host.elapsedMs;
  eachSession(room, "receive", (session) => {
    const { player } = session;
    if (session.receive(round)) return room.end(player, new ProtocolError("left", `${player.nickname} left`));
    if (session.link === undefined) {
      if (nowMs - session.awaySinceMs >= resumeMs) {
        session.giveUp();
        room.end(player, new ProtocolError("silent", `${player.nickname} did not come back`));
      }
      return;
    }
    session.writer.ledger.expire(round);
    if (session.unansweredMs > ackMs) {
      const reason = new ProtocolError("no-acks", `no ack for ${Math.round(session.unansweredMs)} ms`);
      session.unheardLinks += 1;
      if (session.unheardLinks >= MOST_UNHEARD_LINKS) room.end(player, reason);
      else session.hangUp(reason.reason);
    }
  });
}

// ── merge ────────────────────────────────────────────────────────────────────────────────────────────────────────

function merge(room: RoomCore, round: number): void {
  const { actionsPerRound } = room.host.resolved.limits;
  if (room.routedWrites.length > 0) mergeRoutedWrites(room);
  if (room.routedReleases.length > 0) mergeRoutedReleases(room);
  const batches: { readonly session: Session; readonly actions: readonly Action[] }[] = [];
  eachSession(room, "merge", (session) => {
    if (session.isIdle) return;
    const actions = session.actions.splice(0, actionsPerRound);
    session.confirmations.carriedOut += actions.length;
    batches.push({ session, actions });
    session.time.begin();
    const moves = session.proposedPivots?.pivots.length ?? 0;
    mergePivots(room, session);
    mergeWrites(room, session, actions);
    session.time.end(WORK.action + moves * WORK.pivots);
  });
  for (const { session, actions } of batches) {
    inSession(room, session, "merge", () => {
      const lastView = actions.findLast((action) => action.kind === "proposeView");
      session.time.begin();
      session.actionNumber = session.confirmations.carriedOut - actions.length;
      for (const action of actions) {
        session.actionNumber += 1;
        if (action.kind === "proposeView" && action !== lastView) supersede(session, action.request);
        else carryOut(room, session, action);
        if (session.player.presence === "left") return;
      }
      session.time.end(actions.length * WORK.action + (lastView === undefined ? 0 : judgingMs(room)));
    });
  }
  const settles = isSettlingRound(room, round);
  if (room.pendingSteps.length > 0) applyPendingSteps(room);
  for (const session of room.sessions.values()) {
    if (!session.commands.isEmpty)
      inSession(room, session, "commands", () => {
        session.time.begin();
        session.time.end(applyCommands(room, session, round) * WORK.action);
      });
    if (settles) session.foresight.settle(room, session, round);
  }
  for (const { player, type, values } of room.pendingCommands.splice(0)) {
    const handler = room.handlers.command.get(type);
    if (handler !== undefined && room.state === "active")
      room.guard(`command ${type.name}`, () => handler(player, values));
  }
  for (const passed of room.locks.expire(room.host.elapsedMs)) {
    tell(room, passed.from, { kind: "lockLost", id: passed.id, refusal: "timeout" });
    room.pendingGrants.push(passed);
  }
}

/** An estimate of what it costs to judge a new view. It cannot be measured per client, since all views are judged together. */
function judgingMs({ world }: RoomCore): number {
  return WORK.view + world.count * WORK.judged;
}

// ── step ─────────────────────────────────────────────────────────────────────────────────────────────────────────

function step(room: RoomCore, round: number): void {
  if (room.state === "active") {
    const { roundMs } = room.host.resolved;
    for (const handler of room.handlers.round.list) room.guard("onRound", () => handler(room.world, roundMs));
  }
  room.guests.gameStepped(round);
}

// ── commit ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Writes become updates. A changed owner counts as an update too. */
function commit(room: RoomCore, round: number): void {
  for (const id of room.ownership.changedHands) {
    eachSession(room, "pivots", (session) => reviewPivots(room, session, id));
  }
  room.world.commit(0);
  room.ownership.settle((id) => {
    for (const player of room.players.values()) room.model.demand(player.view, id);
  });
  room.guests.committed(round);
}

// ── find due ─────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Asks each link how much it can take, places the pivots and judges every pair. A view whose link is far behind is paused: newer state will
 * be worth more than this one. While time is short, views take turns.
 */
function findDue(room: RoomCore, round: number): void {
  const { resolved, load } = room.host;
  const { backlogBytes } = resolved.limits;
  room.telemetry.every = load.every;
  room.turns.begin(room.sessions.values(), load.every);
  for (const session of room.sessions.values()) {
    const { link } = session;
    const waiting = link?.backlogBytes ?? 0;
    askForRoom(room, session, waiting);
    const pause = link === undefined || waiting > backlogBytes;
    if (pause && link !== undefined) session.telemetry.pausedRounds += 1;
    if (pause !== session.isPaused) {
      session.isPaused = pause;
      if (pause) room.model.pause(session.player.view);
      else room.model.resume(session.player.view);
    }
    session.takeTurn(pause || room.turns.serves(session));
    if (session.isOut) room.model.sitOut(session.player.view);
  }
  room.units?.round(room.players.values());
  room.model.round(round);
  room.audit.examine(round);
}

/**
 * Finds out whether a client's bytes are limited. This must be known before its pairs are judged: only then does the model sort its
 * decisions by urgency.
 */
function askForRoom(room: RoomCore, session: Session, backlogBytes: number): void {
  const { link, budget, telemetry, player } = session;
  budget.bytesPerSecond = player.budget;
  budget.roundsPerFrame = Math.ceil(room.host.load.every);
  if (link !== undefined) budget.askLink(backlogBytes, telemetry.bytesOut);
  if (budget.isTight) room.model.setSpare(player.view, spareUpdates(room, session));
  if (budget.isTight === session.isBudgeted) return;
  session.isBudgeted = budget.isTight;
  room.model.setBudgeted(player.view, session.isBudgeted);
}

/** How many updates fit into bytes that no later round could use. None in a round with events, whose bytes are not known yet. */
function spareUpdates({ pendingEvents }: RoomCore, { budget, telemetry, events, recordBits }: Session): number {
  if (pendingEvents.length > 0 || events.length > 0) return 0;
  return surelyFit(budget.spareBytes(telemetry.bytesOut) * 8, recordBits);
}

// ── tell ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Sends the messages that are not frames, and encodes the events that travel in frames. */
function tellAll(room: RoomCore, round: number): void {
  room.cache.beginRound();
  tellClientPivots(room);
  tellViews(room, round);
  tellLockLosses(room);
  tellGrants(room, round);
  for (const event of room.pendingEvents.splice(0)) tellEvent(room, event);
}

/** Tells clients what the room says of their pivots, where that is not what they go by. */
function tellClientPivots(room: RoomCore): void {
  const rules = room.clientPivots;
  for (const session of room.sessions.values()) {
    if (session.toldClientPivots === rules) continue;
    session.toldClientPivots = rules;
    room.tell(session, { kind: "clientPivots", rules });
  }
}

/** Tells clients their view, if the game changed it or they have just joined. A client that is away is told when it comes back. */
function tellViews(room: RoomCore, round: number): void {
  for (const session of room.sessions.values()) {
    const { settings } = session.player;
    if (session.link === undefined || !session.toldView.isNews(settings, round)) continue;
    if (viewBytes(settings) <= mostViewBytes()) room.serve(session, "viewSet", () => session.tellView(0, []));
  }
}

/** Tells clients which locks they lost because the object is gone, or another server's now. */
function tellLockLosses(room: RoomCore): void {
  for (const { id, sessions, refusal } of room.pendingLockLosses.splice(0)) {
    const [holder, ...waiting] = sessions;
    if (holder !== undefined) tell(room, holder, { kind: "lockLost", id, refusal });
    for (const session of waiting) tell(room, session, { kind: "lockDenied", id, refusal });
  }
}

/** New holders of locks are sent the object as it is at the end of this round. Who holds the lock of another server's object, a guest knows. */
function tellGrants(room: RoomCore, round: number): void {
  for (const { id, to } of room.pendingGrants.splice(0)) {
    const session = room.sessions.get(to);
    const entity = room.world.get(id);
    if (session === undefined || entity === undefined) continue;
    if (!room.world.isForeign(entity) && room.locks.holder(id) !== to) continue;
    const slot = room.world.store.liveSlot(id);
    const wires = entity.type.fields.map(({ index }) => room.world.wireAt(slot, index));
    tell(room, to, { kind: "lockGranted", id, round, fields: { type: entity.type, mask: entity.type.allMask, wires } });
  }
}

function tellEvent(room: RoomCore, event: PendingEvent): void {
  const { type, values, audience, unreliable } = event;
  room.telemetry.events += 1;
  if (room.onEmit !== undefined && event.isRelayed !== true) room.guard("guest: event", () => room.onEmit?.(event));
  let shared: BitWriter | undefined;
  for (const player of room.players.values()) {
    if (!hears(audience, player, room.model)) continue;
    if (player instanceof LocalPlayer) {
      room.guard(`event ${type.name}`, () => player.hear(type, values));
      continue;
    }
    if (!unreliable) {
      tell(room, player.id, { kind: "event", type, values });
      continue;
    }
    if (shared === undefined) {
      shared = new BitWriter(64);
      room.world.protocol.writeType(shared, type);
      writeRecord(shared, type, values);
    }
    const session = room.sessions.get(player.id);
    if (session?.isPaused === false) session.events.push(shared);
  }
}

// ── send ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Writes each client's frame and sends it at once, session by session. So all frames use one buffer in turn, and a session's data is
 * fetched from memory once.
 */
function send(room: RoomCore, round: number): void {
  const broken: { readonly session: Session; readonly error: unknown }[] = [];
  for (const session of room.sessions.values()) {
    try {
      session.sendFrame(round);
      session.sendArrival();
      adapt(room, session);
      explainTo(room, session, round);
    } catch (error) {
      broken.push({ session, error });
    }
  }
  for (const { session, error } of broken) room.endBroken(session, error, "send");
}

/** Counts what was decided and what was withheld, loosens or tightens the view's bounds accordingly, and tells the client. */
function adapt(room: RoomCore, session: Session): void {
  if (session.isPaused || session.isOut || session.link === undefined) return;
  const { player, loosening, telemetry, satOutBefore } = session;
  const decisions = room.model.decisions(player.view);
  room.telemetry.countDecisions(decisions);
  telemetry.withheld += decisions.withheld;
  loosening.note(decisions, 1 + satOutBefore);
  const { load } = room.host;
  const [outer, inner, every] = [Math.max(loosening.outer, load.outer), loosening.inner, Math.ceil(load.every)];
  const hasChanged = outer !== telemetry.outerFactor || inner !== telemetry.innerFactor;
  if (!hasChanged && every === session.toldEvery) return;
  if (hasChanged) room.model.loosen(player.view, outer, inner);
  telemetry.outerFactor = outer;
  telemetry.innerFactor = inner;
  session.toldEvery = every;
  session.send({ kind: "loosened", outer, inner, every });
}

// ── audit ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The auditor compares what was sent with what had to be sent. Then the figures are published for the operator. */
function audit(room: RoomCore, round: number): void {
  room.audit.conclude(round);
  room.telemetry.rounds += 1;
  room.telemetry.encodeHits = room.cache.hits;
  room.telemetry.encodeMisses = room.cache.misses;
}

// ── helpers ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Runs a stage for each session. */
function eachSession(room: RoomCore, where: string, stage: (session: Session) => void): void {
  for (const session of room.sessions.values()) inSession(room, session, where, stage);
}

/** Runs a stage for one session. If it fails, for whatever reason, that session is ended with a reason, and the others do not notice. */
function inSession(room: RoomCore, session: Session, where: string, stage: (session: Session) => void): void {
  if (session.player.presence === "left") return;
  try {
    stage(session);
  } catch (error) {
    room.endBroken(session, error, where);
  }
}

function tell(room: RoomCore, to: number, message: Parameters<Session["send"]>[0]): void {
  const session = room.sessions.get(to);
  if (session !== undefined) room.tell(session, message);
}
