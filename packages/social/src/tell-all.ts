/**
 * Tells listeners of something that has happened and is durable. What a listener throws is reported and kept from the caller: for the caller the thing has succeeded, and the other
 * listeners are told too.
 */

export type OnError = (error: unknown, where: string) => void;

export function tellAll<Value>(
  listeners: Iterable<(value: Value) => void>,
  value: Value,
  where: string,
  onError: OnError = () => {},
): void {
  for (const listener of listeners) {
    try {
      listener(value);
    } catch (error) {
      onError(error, where);
    }
  }
}
