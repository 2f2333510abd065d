import { formatError } from '@tidegate/core/base';
import type { ProgramRules } from '@tidegate/core/protocol/releases';
import {
  formatCounterexample,
  parseCounterexample,
  replayCounterexample,
  replaySlot,
  toCounterexample,
} from '@tidegate/localnet/replay';
import { hasDifference } from './has-difference.ts';
import type { ProofRequest, ProofResponse, ReplayResult, ReplayTask } from './proof-messages.ts';

export function executeRequest(request: ProofRequest): ProofResponse {
  const { id } = request;
  try {
    return { id, ...execute(request) };
  } catch (error) {
    return { kind: 'failed', id, reason: formatError(error) };
  }
}

function execute(request: ProofRequest) {
  switch (request.kind) {
    case 'replay':
      return { kind: 'replay', result: replay(request.task) } as const;
    case 'describe': {
      const { slot, rules, releases } = request.task;
      const text = formatCounterexample(toCounterexample(slot, sameRules(rules), releases));
      return { kind: 'describe', text } as const;
    }
    case 'recheck': {
      const proof = replayCounterexample(parseCounterexample(request.text), request.rules);
      return { kind: 'recheck', isProven: !hasDifference(proof) } as const;
    }
  }
}

function replay({ slot, rules }: ReplayTask): ReplayResult {
  const start = performance.now();
  const proof = replaySlot(slot, sameRules(rules));
  // a thread that computes without a pause: its time on the clock is at least its CPU time
  return { proof, ms: performance.now() - start };
}

const knownRules = new Map<string, ProgramRules>();

/** Equal rules as one object, of which the replay has one set of models: a message between threads copies them. */
function sameRules(rules: ProgramRules): ProgramRules {
  const key = JSON.stringify(rules);
  const known = knownRules.get(key) ?? rules;
  knownRules.set(key, known);
  return known;
}
