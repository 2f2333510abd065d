/** What may be used of one endpoint. A part that is undefined is not limited. */
export type RpcBudget = {
  readonly callsPerSecond: number | undefined;
  /** Sent and received, per UTC day. */
  readonly bytesPerDay: number | undefined;
};

export const RPC_BUDGET_FORM =
  'calls per second, bytes per day (MB, GB, TB), or both: 10/s,2GB/day';

const CALLS = /^(\d{1,6}(?:\.\d{1,3})?)\/s$/;
const BYTES = /^(\d{1,6}(?:\.\d{1,3})?)(MB|GB|TB)\/day$/;
const UNIT_BYTES: Readonly<Record<string, number>> = { MB: 1e6, GB: 1e9, TB: 1e12 };

/** Undefined for an invalid text. */
export function parseRpcBudget(text: string): RpcBudget | undefined {
  let callsPerSecond: number | undefined;
  let bytesPerDay: number | undefined;
  for (const part of text.split(',').map((each) => each.trim())) {
    const calls = CALLS.exec(part)?.[1];
    const [, amount, unit = ''] = BYTES.exec(part) ?? [];
    if (calls !== undefined && callsPerSecond === undefined) callsPerSecond = Number(calls);
    else if (amount !== undefined && bytesPerDay === undefined) {
      bytesPerDay = Math.round(Number(amount) * (UNIT_BYTES[unit] ?? 0));
    } else return undefined;
  }
  return callsPerSecond === 0 || bytesPerDay === 0 ? undefined : { callsPerSecond, bytesPerDay };
}
