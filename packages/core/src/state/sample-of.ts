/** Some elements at random, without repetition. `random`: from 0 up to 1. */
export function sampleOf<Value>(
  values: Iterable<Value>,
  count: number,
  random: () => number,
): Value[] {
  const rest = [...values];
  const sampled: Value[] = [];
  while (sampled.length < count && rest.length > 0) {
    const index = Math.floor(random() * rest.length);
    const last = rest.pop();
    const chosen = index < rest.length ? rest[index] : last;
    if (chosen !== undefined) sampled.push(chosen);
    if (index < rest.length && last !== undefined) rest[index] = last;
  }
  return sampled;
}
