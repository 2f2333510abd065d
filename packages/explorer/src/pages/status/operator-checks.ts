import type { Status } from '@tidegate/client';
import { formatCount } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';

type ServedCluster = Status['clusters'][number];

export type OperatorCheck = {
  readonly name: string;
  /** `off`: this deployment does not do it. */
  readonly state: 'ok' | 'attention' | 'off';
  readonly found: string;
  /** What to do; undefined if nothing. */
  readonly action?: string | undefined;
};

/** What an operator looks at, as the status has it, and what to do about what is wrong. */
export const operatorChecks = (cluster: ServedCluster): OperatorCheck[] => [
  checkReadiness(cluster),
  checkSource(cluster),
  checkEndpoints(cluster),
  checkAlarms(cluster),
  checkHistory(cluster),
  checkDrift(cluster),
  checkSums(cluster),
  checkPositions(cluster),
  checkWitnesses(cluster),
  checkPrograms(cluster),
  checkProof(cluster),
  checkAccounts(cluster),
  checkPrices(cluster),
];

const ok = (name: string, found: string): OperatorCheck => ({ name, state: 'ok', found });

const off = (name: string, found: string, action: string): OperatorCheck => ({
  ...{ name, state: 'off', found, action },
});

const attention = (name: string, found: string, action: string): OperatorCheck => ({
  ...{ name, state: 'attention', found, action },
});

function checkReadiness({ waitingFor, ageMs, lagSlots }: ServedCluster): OperatorCheck {
  const name = 'Ready';
  if (waitingFor !== null) {
    return attention(
      name,
      `waits for ${waitingFor}`,
      'Run `tidegate doctor`; /ready names the part.',
    );
  }
  const age = ageMs === null ? '' : `, its newest slot is ${formatDuration(ageMs)} old`;
  return ok(name, `${lagSlots ?? 0} slots behind${age}`);
}

function checkSource({ source }: ServedCluster): OperatorCheck {
  const name = 'Source of updates';
  const [preferred] = source.steps;
  if (preferred === undefined || preferred.step === source.step) return ok(name, source.step);
  return attention(
    name,
    `${source.step} instead of ${preferred.step}: ${preferred.lastError ?? source.reason}`,
    'Check the address, the key and the plan of the preferred source; it is tried again by itself.',
  );
}

function checkEndpoints({ endpoints }: ServedCluster): OperatorCheck {
  const name = 'Endpoints';
  const failing = endpoints.filter(({ healthy }) => !healthy);
  if (failing.length > 0) {
    const list = failing.map((each) => `${each.name}: ${each.lastError ?? 'unhealthy'}`);
    return attention(name, list.join('; '), 'Ask the provider, or replace it in RPC_URL.');
  }
  const empty = endpoints.find(({ usage }) => usage?.budget?.bytesLeft === 0);
  if (empty !== undefined) {
    return attention(
      name,
      `${empty.name} has no bytes left today`,
      'Raise RPC_BUDGET, or wait for 00:00 UTC.',
    );
  }
  if (endpoints.length === 1) {
    return ok(name, 'one, healthy; a second one lets the server compare them');
  }
  return ok(name, `${endpoints.length} healthy`);
}

function checkAlarms({ alarms }: ServedCluster): OperatorCheck {
  const name = 'Sources that were wrong';
  if (alarms.length === 0) return ok(name, 'none since the start');
  return attention(
    name,
    alarms
      .map(({ count, source, reason }) => `${count} times, last ${source}: ${reason}`)
      .join('; '),
    'It was not used. If it repeats, replace the endpoint.',
  );
}

function checkHistory({ history }: ServedCluster): OperatorCheck {
  const name = 'Database of the history';
  if (history === null) return off(name, 'no history is recorded', 'Set HISTORY to record it.');
  if (history.problem !== null) {
    return attention(
      name,
      history.available ? 'is not recorded' : 'cannot be read',
      history.problem,
    );
  }
  return ok(name, `${history.engine}, ${history.recording ? 'recording' : 'read only'}`);
}

function checkDrift({ drift }: ServedCluster): OperatorCheck {
  const name = 'State against the chain';
  if (!drift.isRunning) {
    return off(
      name,
      'not compared',
      'Set DRIFT_CHECK_SECONDS to compare all accounts again and again.',
    );
  }
  const open = drift.kinds.filter(({ since }) => since !== null);
  const healed = drift.kinds.reduce((sum, { accounts }) => sum + accounts, 0);
  if (open.length > 0) {
    return attention(
      name,
      open.map(({ kind, source }) => `${source} lost updates of ${kind}`).join('; '),
      'Nothing by hand: accounts are put right, and all of the kind are compared.',
    );
  }
  return ok(name, healed === 0 ? 'nothing differed' : `${formatCount(healed)} accounts put right`);
}

function checkSums({ drift: { isRunning, sums } }: ServedCluster): OperatorCheck {
  const name = 'Sums over all positions';
  if (!isRunning || sums.checkedSlot === null) {
    return off(
      name,
      `waits for ${sums.waitingFor ?? 'the comparison'}`,
      'It runs with the comparison of the state.',
    );
  }
  if (sums.open === 0) return ok(name, `close at slot ${formatCount(sums.checkedSlot)}`);
  const first = sums.first.map(({ of, account }) => `${of} of ${account}`);
  return attention(
    name,
    `${sums.open} differ: ${first.join(', ')}`,
    'Positions are missing or wrong: compare the endpoints; see /status.',
  );
}

function checkPositions({ positionGaps }: ServedCluster): OperatorCheck {
  const name = 'Events of positions';
  if (!positionGaps.isRunning) {
    return off(name, 'not compared with positions', 'It needs a recorded history.');
  }
  if (positionGaps.open === 0) {
    return ok(name, `explain every position; ${formatCount(positionGaps.closed)} gaps closed`);
  }
  return attention(
    name,
    `${formatCount(positionGaps.open)} positions have missing transactions`,
    'They are looked for; an endpoint with a longer ledger helps.',
  );
}

function checkWitnesses({ checks }: ServedCluster): OperatorCheck {
  const name = 'What nodes leave out';
  const { wrongAccounts, disputedAccounts, refutedAbsences, unconfirmedAbsences } = checks;
  const parts = [
    [wrongAccounts, 'accounts were wrong at one endpoint'],
    [disputedAccounts, 'accounts are disputed'],
    [refutedAbsences, 'accounts were left out'],
    [unconfirmedAbsences, 'absences are not confirmed'],
  ] as const;
  const found = parts.flatMap(([count, text]) =>
    count === 0 ? [] : `${formatCount(count)} ${text}`,
  );
  if (found.length > 0) {
    return attention(
      name,
      found.join(', '),
      'They are served as they were; ask the provider, or add an endpoint.',
    );
  }
  return ok(
    name,
    `nothing; ${formatCount(checks.comparedAccounts)} accounts compared across sources`,
  );
}

function checkPrograms({ programs }: ServedCluster): OperatorCheck {
  const name = 'Releases of the programs';
  const unknown = programs.filter(({ release }) => release === null);
  if (unknown.length === 0) return ok(name, programs.length === 0 ? 'not read yet' : 'all known');
  return attention(
    name,
    `${unknown.map(({ program }) => program).join(', ')} run a release that is not known`,
    'Figures follow the last known rules: install a release that knows it.',
  );
}

function checkProof({ proof, unproven }: ServedCluster): OperatorCheck {
  const name = 'Proof by replay';
  if (proof.counterexamples > 0) {
    const kinds = unproven.map(({ kind }) => kind);
    return attention(
      name,
      `${formatCount(proof.counterexamples)} slots differ${kinds.length === 0 ? '' : `: ${kinds.join(', ')}`}`,
      'See the page Proof; `tidegate proof show` has the difference.',
    );
  }
  if (proof.summary === 'off')
    return off(name, 'off', 'Set PROOF_CPU_PERCENT to replay transactions.');
  return ok(name, proof.summary);
}

function checkAccounts({ undecodedAccounts, unproven }: ServedCluster): OperatorCheck {
  const name = 'Accounts';
  if (undecodedAccounts > 0) {
    return attention(
      name,
      `${formatCount(undecodedAccounts)} have a layout that is not known`,
      'They are left out of answers: install a release that knows them.',
    );
  }
  if (unproven.length > 0) {
    return attention(
      name,
      unproven.map(({ kind, detail }) => `${kind}: ${detail}`).join('; '),
      'Answers of these kinds have x-unproven.',
    );
  }
  return ok(name, 'all decoded');
}

function checkPrices({ stalePrices }: ServedCluster): OperatorCheck {
  const name = 'Prices';
  if (stalePrices.length === 0) return ok(name, 'as new as their reserves demand');
  const symbols = [...new Set(stalePrices.map(({ symbol }) => symbol))];
  return attention(
    name,
    `older than their reserves accept: ${symbols.join(', ')}`,
    'Nothing here: the oracle publishes no newer ones. Answers name them.',
  );
}
