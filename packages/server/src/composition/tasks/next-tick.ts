import { executionAsyncResource } from 'node:async_hooks';

const liveTicks: object[] = [];

/**
 * Keeps `process.nextTick` fast, which a response calls four times. It creates an object with computed keys. If a garbage
 * collection finds no such object, V8 drops the object's hidden class; the optimized code then creates each object by
 * a runtime call, five times as slow, until the process ends. One object that stays alive prevents that. Call it first:
 * it has no effect after the first full collection.
 */
export function keepNextTickFast(): void {
  process.nextTick(() => liveTicks.push(executionAsyncResource()));
}
