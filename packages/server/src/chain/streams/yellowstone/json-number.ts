/** A number, or its digits if a number would not be exact. */
export function toJsonNumber(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}
