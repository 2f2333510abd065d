import { CLOCK_SYSVAR } from '@tidegate/core/base';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { CodedError, hasCode } from '../../errors.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

type Call = (method: string, params: readonly unknown[]) => Promise<unknown>;

type MethodProbe = {
  readonly method: string;
  readonly params: readonly unknown[];
  /** What does not work without the method. */
  readonly without: string;
  readonly isRequired?: boolean;
};

const SIGNATURE = '1'.repeat(64);

/** Small requests: a node that does not serve the method says so whatever the parameters are. */
const probes: readonly MethodProbe[] = [
  {
    method: 'getMultipleAccounts',
    params: [[CLOCK_SYSVAR], { encoding: 'base64' }],
    without: 'the server cannot work',
    isRequired: true,
  },
  {
    method: 'getLatestBlockhash',
    params: [],
    without: 'no transaction can be built',
    isRequired: true,
  },
  {
    method: 'getProgramAccounts',
    params: [
      KLEND_PROGRAM,
      { encoding: 'base64', dataSlice: { offset: 0, length: 0 }, filters: [{ dataSize: 4664 }] },
    ],
    without: 'only known addresses are served (set OBLIGATIONS=on-demand)',
  },
  {
    method: 'getSignaturesForAddress',
    params: [KLEND_PROGRAM, { limit: 1 }],
    without: 'there are no events',
  },
  {
    method: 'getTransaction',
    params: [SIGNATURE, { maxSupportedTransactionVersion: 0 }],
    without: 'there are no events',
  },
  { method: 'simulateTransaction', params: [], without: 'the node previews nothing' },
  {
    method: 'getRecentPrioritizationFees',
    params: [[]],
    without: 'no priority fee can be suggested',
  },
];

/** Which methods the endpoint serves, as one finding. */
export async function checkMethods(name: string, call: Call): Promise<Finding> {
  const served = await Promise.all(
    probes.map(async (probe) => ({ ...probe, isServed: await isServed(call, probe) })),
  );
  const missing = served.filter((probe) => !probe.isServed);
  if (missing.length === 0) return ok(name, `It serves all ${probes.length} methods in use.`);
  const message = `It does not serve ${missing.map(({ method }) => method).join(', ')}`;
  const effects = [...new Set(missing.map(({ without }) => without))].join('; ');
  const change = `Without them ${effects}. Use another endpoint, or add one to the list.`;
  return missing.some(({ isRequired }) => isRequired)
    ? problem(name, message, change)
    : warning(name, message, change);
}

/** Invalid parameters are those of a method that exists. */
async function isServed(call: Call, { method, params }: MethodProbe): Promise<boolean> {
  try {
    await call(method, params);
    return true;
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    if (hasCode(error, 'SOURCE_REFUSES')) return error.context.rejection === 'invalid-params';
    return false;
  }
}
