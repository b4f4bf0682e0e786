/** How large a world is, according to its types' position fields: a quantised or whole number has limits, a float has none. */

import type { ObjectType } from "@nearfield/schema";

export function extentOf(type: ObjectType): ([number, number] | null)[] {
  return type.position.map((index) => {
    const { field } = type.fields[index]!;
    if (!field.numeric || field.kind === "float32" || field.kind === "float64") return null;
    return [field.dequantizeNumber(field.wireMin), field.dequantizeNumber(field.wireMax)];
  });
}
