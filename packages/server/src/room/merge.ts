/**
 * The `merge` stage: what clients asked for becomes state, in two passes over all sessions. The first pass takes what clients wrote:
 * owners' writes, and releases of locks with what was written under them. Each client's writes become updates of their own. The second pass
 * carries out the rest: commands, locks, objects to add or remove, views. So within a round one client's writes to one object make one
 * update, whatever else the client asked for in between.
 *
 * Some mistakes can happen to an honest client by bad timing, such as a write to an object that has just gone. They are refused, and the
 * client is told. A mistake that no honest client makes ends the connection.
 */

import { type Entity, type Pivot, ViewError, type ViewSettings, WorldError } from "@nearfield/core";
import {
  type FieldsOfObject,
  mostViewBytes,
  ProtocolError,
  type Refusal,
  viewBytes,
} from "@nearfield/protocol/internal";
import { type CommandType, type ObjectId, type ObjectType, slotOf } from "@nearfield/schema";
import { GENERATIONS, generationOf } from "@nearfield/schema/internal";
import type { Player } from "../session/player.ts";
import type { Action, Session } from "../session/session.ts";
import { authorisePivots, authoriseView } from "./authorise.ts";
import type { AnyValues, RoomCore } from "./room-core.ts";
import type { RoutedWrite } from "./routed-writes.ts";

type Writing = Extract<Action, { kind: "write" | "release" }>;

// ── first pass: writes ───────────────────────────────────────────────────────────────────────────────────────────

export function mergeWrites(room: RoomCore, session: Session, actions: readonly Action[]): void {
  if (!actions.some(isWriting)) return;
  const written = new Set<ObjectId>();
  room.world.commit(0);
  session.actionNumber = session.confirmations.carriedOut - actions.length;
  try {
    for (const action of actions) {
      session.actionNumber += 1;
      if (!isWriting(action)) continue;
      const entity = mayWrite(room, session, action);
      if (entity !== undefined && applyWrite(room, session, entity, action.fields)) written.add(action.id);
      if (action.kind === "release") release(room, session, action.id);
    }
  } finally {
    room.world.commit(session.player.id);
  }
  for (const id of written) notify(room, session.player, id);
}

function isWriting(action: Action): action is Writing {
  return action.kind === "write" || action.kind === "release";
}

/**
 * The object, if this client may write it now, and this server owns it. Otherwise the client is told, or a guest has the write carried out elsewhere. If no
 * honest client could have sent the write, this throws.
 */
function mayWrite(room: RoomCore, session: Session, { kind, id, fields }: Writing): Entity | undefined {
  const entity = known(room, id);
  if (entity === undefined) return refuse(room, session, id, "gone");
  const { player } = session;
  if (entity.type !== fields.type) {
    throw new ProtocolError("foreign-object", `object ${id} is a ${entity.type.name}, not a ${fields.type.name}`);
  }
  if (room.state !== "active") return refuse(room, session, id, "not-active", fields.mask);
  const isForeign = room.world.isForeign(entity);
  if (kind === "release") {
    if (isForeign) return releaseElsewhere(room, session, entity, fields);
    return room.locks.holder(id) === player.id ? entity : refuse(room, session, id, "not-locked", fields.mask);
  }
  if (entity.type.write !== "owner") {
    throw new ProtocolError(
      "foreign-object",
      `${entity.type.name} is written by ${entity.type.write}, not by its owner`,
    );
  }
  if (entity.owner === player.id) {
    if (!isForeign) return entity;
    if (!isWriteRouted(room, session, entity, fields)) refuse(room, session, id, "elsewhere", fields.mask);
    return undefined;
  }
  if (room.ownership.wasOwner(slotOf(id), player.id)) return refuse(room, session, id, "not-owner", fields.mask);
  throw new ProtocolError("foreign-object", `object ${id} belongs to somebody else`);
}

/** A guest has a release carried out where the object is owned; if it cannot, the client is told. */
function releaseElsewhere(room: RoomCore, session: Session, entity: Entity, fields: FieldsOfObject): undefined {
  const { lockRoute } = room;
  const { player, actionNumber } = session;
  const refusal =
    lockRoute === undefined
      ? "elsewhere"
      : room.guard("guest: release", () => lockRoute.release(player, entity, fields, actionNumber));
  if (refusal !== undefined) refuse(room, session, entity.id, refusal, fields.mask);
  return undefined;
}

/** Whether a guest has a write or a removal carried out where the object is owned. */
function isWriteRouted(room: RoomCore, session: Session, entity: Entity, write: RoutedWrite): boolean {
  const { routeWrite } = room;
  if (routeWrite === undefined) return false;
  const { player, actionNumber } = session;
  return room.guard("guest: write", () => routeWrite(player, entity, write, actionNumber)) === true;
}

/** Puts accepted values into the world. False if all were refused. */
function applyWrite(room: RoomCore, session: Session, entity: Entity, fields: FieldsOfObject): boolean {
  const corrected = judgeWrite(room, session.player, entity, fields);
  if (corrected === undefined) {
    refuse(room, session, entity.id, "invalid", fields.mask);
    return false;
  }
  if (corrected !== 0) sendBack(room, session.player, entity, corrected);
  return true;
}

/** Puts accepted values into the world, after the game's validator. Returns the fields that it corrected; undefined if it refused all. */
export function judgeWrite(
  room: RoomCore,
  player: Player,
  entity: Entity,
  { type, mask, wires }: FieldsOfObject,
): number | undefined {
  const proposed: Record<string, unknown> = {};
  let next = 0;
  for (const { name, index, field } of type.fields) {
    if (((mask >>> index) & 1) === 1) proposed[name] = field.fromWire(wires[next++]!);
  }
  const validator = room.handlers.write.get(type);
  const judged = room.guard("onWrite", () => {
    const verdict = validator === undefined || validator(player, entity, proposed as Partial<AnyValues>);
    if (verdict === false) return undefined;
    const corrections = verdict === true ? {} : verdict;
    const corrected = maskOf(type, corrections);
    Object.assign(entity, proposed, corrections);
    return corrected;
  });
  if (judged !== undefined) room.telemetry.writesAccepted += 1;
  return judged;
}

function maskOf(type: ObjectType, values: Partial<AnyValues>): number {
  return Object.keys(values).reduce((mask, name) => mask | (1 << type.fieldIndex(name)), 0) >>> 0;
}

/** These fields differ from what the client wrote or predicted: it is sent them in this round, whatever its view says. */
export function sendBack(room: RoomCore, player: Player, entity: Entity, mask: number): void {
  room.world.correct(entity, mask);
  room.model.demand(player.view, entity.id);
}

/** Tells the client that its write was refused, and sends it the true fields. */
export function refuse(room: RoomCore, session: Session, id: ObjectId, refusal: Refusal, mask = 0): undefined {
  room.telemetry.writesRefused += 1;
  session.send({ kind: "writeRefused", id, refusal });
  const entity = room.world.get(id);
  if (entity !== undefined && mask !== 0) sendBack(room, session.player, entity, mask);
  return undefined;
}

export function notify(room: RoomCore, player: Player, id: ObjectId): void {
  const entity = room.world.get(id);
  if (entity === undefined) return;
  for (const listener of room.handlers.update.of(entity.type)) {
    room.guard("onUpdate", () => listener(entity, player));
  }
}

/** Undefined for an object that is gone. Throws for an id that no object ever had. */
export function known(room: RoomCore, id: ObjectId): Entity | undefined {
  const { store } = room.world;
  const entity = room.world.get(id);
  if (entity !== undefined) return entity;
  const slot = slotOf(id);
  const ahead = slot < store.slotHigh ? (generationOf(id) - store.generation[slot]! + GENERATIONS) % GENERATIONS : 1;
  if (ahead !== 0 && ahead < GENERATIONS / 2) throw new ProtocolError("foreign-object", `object ${id} never was`);
  return undefined;
}

// ── second pass: everything else ─────────────────────────────────────────────────────────────────────────────────

export function carryOut(room: RoomCore, session: Session, action: Action): void {
  switch (action.kind) {
    case "command":
      return command(room, session, action);
    case "lock":
      return lock(room, session, action.id);
    case "add":
      return add(room, session, action);
    case "remove":
      return remove(room, session, action.id);
    case "proposeView":
      return proposeView(room, session, action);
    case "group":
      return group(room, session, action);
    case "debug":
      session.debug = action.everyRounds > 0 && mayExplain(room, session) ? action : undefined;
      return;
    default:
  }
}

function mayExplain(room: RoomCore, { player }: Session): boolean {
  const { mayExplain: rule } = room.options;
  return rule === undefined || room.guard("mayExplain", () => rule(player)) === true;
}

function command(room: RoomCore, session: Session, action: Extract<Action, { kind: "command" }>): void {
  refuseSpectators(session, "commands");
  const { type, values } = action;
  const handler = room.handlers.command.get(type);
  if (handler === undefined) throw new ProtocolError("unknown-command", whyUnhandled(room, type));
  if (room.state !== "active") return;
  room.telemetry.commands += 1;
  session.beginCommand(action);
  if (!room.handlers.atGateway.has(type) && isRouted(room, session, type, values)) return;
  room.guard(`command ${type.name}`, () => handler(session.player, values));
}

/** Whether a guest took the command out of the room. */
function isRouted(room: RoomCore, { player, actionNumber }: Session, type: CommandType, values: AnyValues): boolean {
  const { routeCommand } = room;
  if (routeCommand === undefined) return false;
  return room.guard("guest: command", () => routeCommand(player, type, values, actionNumber)) === true;
}

function whyUnhandled({ name, handlers }: RoomCore, type: CommandType): string {
  for (const [object, { command }] of handlers.steps) {
    if (command === type) return `command ${type.name} steps ${object.name}: it comes by predict, not by client.send`;
  }
  return `nobody handles command ${type.name} in room ${name}`;
}

function lock(room: RoomCore, session: Session, id: ObjectId): void {
  refuseSpectators(session, "locks");
  const entity = known(room, id);
  if (entity !== undefined && entity.type.write !== "locked") {
    throw new ProtocolError(
      "foreign-object",
      `${entity.type.name} is written by ${entity.type.write}, not under locks`,
    );
  }
  const deny = (refusal: Refusal): void => session.send({ kind: "lockDenied", id, refusal });
  if (entity === undefined) return deny("gone");
  if (room.state !== "active") return deny("not-active");
  if (room.world.isForeign(entity)) {
    const refusal = lockElsewhere(room, session.player, entity);
    return refusal === undefined ? undefined : deny(refusal);
  }
  const answer = room.locks.acquire(id, session.player.id, room.host.elapsedMs);
  if (answer === "granted") room.pendingGrants.push({ id, from: 0, to: session.player.id });
  else if (answer !== "waiting") deny(answer);
}

/** A guest asks for the lock where the object is owned. Returns why it cannot. */
function lockElsewhere(room: RoomCore, player: Player, entity: Entity): Refusal | undefined {
  const { lockRoute } = room;
  return lockRoute === undefined ? "elsewhere" : room.guard("guest: lock", () => lockRoute.acquire(player, entity));
}

function release(room: RoomCore, session: Session, id: ObjectId): void {
  const passed = room.locks.release(id, session.player.id, room.host.elapsedMs);
  if (passed !== undefined) room.pendingGrants.push(passed);
}

function add(room: RoomCore, session: Session, { request, fields }: Extract<Action, { kind: "add" }>): void {
  refuseSpectators(session, "new objects");
  const deny = (refusal: Refusal): void => session.send({ kind: "addRefused", request, refusal });
  if (!isAllowed(room, fields.type)) return deny("not-allowed");
  const { objectsPerPlayer } = room.host.resolved.limits;
  if (room.ownership.of(session.player.id).size >= objectsPerPlayer) return deny("quota");
  const values: Record<string, unknown> = {};
  let next = 0;
  for (const { name, index, field } of fields.type.fields) {
    if (((fields.mask >>> index) & 1) === 1) values[name] = field.fromWire(fields.wires[next++]!);
  }
  try {
    const entity = room.world.spawn(fields.type, values as AnyValues, { owner: session.player.id });
    session.send({ kind: "added", request, id: entity.id });
  } catch (error) {
    if (!(error instanceof WorldError)) throw error;
    deny("quota");
  }
}

function remove(room: RoomCore, session: Session, id: ObjectId): void {
  const entity = known(room, id);
  if (entity === undefined) return;
  if (entity.owner === session.player.id && isAllowed(room, entity.type)) {
    if (!room.world.isForeign(entity)) return room.world.destroy(entity);
    if (!isWriteRouted(room, session, entity, undefined)) refuse(room, session, id, "elsewhere");
    return;
  }
  if (room.ownership.wasOwner(slotOf(id), session.player.id) || entity.owner === session.player.id) {
    refuse(room, session, id, "not-allowed");
    return;
  }
  throw new ProtocolError("foreign-object", `object ${id} belongs to somebody else`);
}

/**
 * Groups own objects by hand. Objects that are gone or have just changed hands are left out. Throws for an object that was never this client's: no honest client
 * names one.
 */
function group(room: RoomCore, session: Session, { request, byHand, ids }: Extract<Action, { kind: "group" }>): void {
  refuseSpectators(session, "units");
  const { player } = session;
  const own = new Set<Entity>();
  for (const id of ids) {
    const entity = known(room, id);
    if (entity?.owner === player.id) own.add(entity);
    else if (entity !== undefined && !room.ownership.wasOwner(slotOf(id), player.id))
      throw new ProtocolError("foreign-object", `object ${id} belongs to somebody else`);
  }
  const refusal = own.size === 0 ? "gone" : room.units === undefined ? "not-allowed" : undefined;
  session.send({
    kind: "grouped",
    request,
    refusal: refusal ?? (byHand ? room.units!.tryGroup(player, own) : room.units!.tryUngroup(player, own)),
  });
}

export function isAllowed(room: RoomCore, type: ObjectType): boolean {
  return room.options.clientMayAdd?.includes(type) === true;
}

function proposeView(
  room: RoomCore,
  session: Session,
  { request, settings }: Extract<Action, { kind: "proposeView" }>,
): void {
  try {
    const { view, clamped } = authoriseView(room, session.player, settings);
    requireFits(view);
    session.player.setView(view);
    room.noteStated(session.player, { asked: settings.sets });
    session.grantedPivots = view.pivots;
    session.tellView(request, clamped);
  } catch (error) {
    const isNameless =
      error instanceof ViewError && (error.code === "unknown-match" || error.code === "unknown-metric");
    if (error instanceof ViewError && !isNameless) throw new ProtocolError("bad-view", error.message);
    if (error instanceof ProtocolError) throw error;
    session.send({ kind: "viewRefused", request, text: error instanceof Error ? error.message : String(error) });
  }
}

/** Throws if a view is too long for the message that would tell the client of it. No honest client comes near. */
export function requireFits(settings: ViewSettings): void {
  const bytes = viewBytes(settings);
  if (bytes <= mostViewBytes()) return;
  throw new ProtocolError("bad-view", `a view of ${bytes} bytes, pivots included; at most ${mostViewBytes()}`);
}

/** Answers a view that another one of the same round replaced. Only the last view of a round is used. */
export function supersede(session: Session, request: number): void {
  session.send({ kind: "viewRefused", request, text: "another view was proposed in the same round" });
}

/** Uses the newest pivots that a client asked for. */
export function mergePivots(room: RoomCore, session: Session): void {
  const proposed = session.proposedPivots;
  if (proposed === undefined) return;
  session.proposedPivots = undefined;
  session.obeyedPivots += (proposed.number - session.obeyedPivots) & 0xff;
  try {
    const { pivots, clamped } = authorisePivots(room, session.player, proposed.pivots);
    setPivots(session, pivots, clamped);
  } catch (error) {
    if (error instanceof ViewError) throw new ProtocolError("bad-view", error.message);
    throw error;
  }
}

function setPivots(session: Session, pivots: readonly Pivot[], clamped: readonly string[]): void {
  session.player.setPivots(pivots);
  session.grantedPivots = pivots;
  const { settings } = session.player;
  if (clamped.length === 0) return session.toldView.obeyed(settings);
  requireFits(settings);
  session.tellView(0, clamped);
}

/**
 * An object changed its owner. If a client had centred its view on this object by its own request, it is checked again whether it may.
 * Pivots that the game set stay.
 */
export function reviewPivots(room: RoomCore, session: Session, id: ObjectId): void {
  const { pivots } = session.player.settings;
  if (pivots !== session.grantedPivots) return;
  const isThere = (pivot: Pivot): boolean =>
    "object" in pivot ? pivot.object === id : "group" in pivot && pivot.group.includes(id);
  if (!pivots.some(isThere)) return;
  regrantPivots(room, session);
}

/** The rules for pivots have changed: those that the client has by its own request are checked again. Pivots that the game set stay. */
export function regrantPivots(room: RoomCore, session: Session): void {
  const { pivots } = session.player.settings;
  if (pivots !== session.grantedPivots) return;
  const { pivots: left, clamped } = authorisePivots(room, session.player, pivots);
  if (clamped.length > 0) setPivots(session, left, clamped);
}

export function refuseSpectators(session: Session, what: string): void {
  if (session.player.role === "spectator") throw new ProtocolError("unexpected", `a spectator has no ${what}`);
}
