type FindingStatus = 'ok' | 'warning' | 'problem';

/** The result of one check. */
export type Finding = {
  /** What was checked, such as `database` or `endpoint rpc.example`. */
  readonly name: string;
  readonly status: FindingStatus;
  readonly message: string;
  /** What the operator should change; absent if nothing. */
  readonly change?: string;
};

export const ok = (name: string, message: string): Finding => ({ name, status: 'ok', message });

export const warning = (name: string, message: string, change: string): Finding => ({
  name,
  status: 'warning',
  message,
  change,
});

export const problem = (name: string, message: string, change: string): Finding => ({
  name,
  status: 'problem',
  message,
  change,
});

export const hasProblem = (findings: readonly Finding[]): boolean =>
  findings.some(({ status }) => status === 'problem');

/** One line per finding and a summary. */
export function formatFindings(findings: readonly Finding[]): string {
  const width = Math.max(0, ...findings.map(({ name }) => name.length));
  const lines = findings.map(({ name, status, message, change }) =>
    [status.padEnd('problem'.length), name.padEnd(width), sentences(message, change)].join('  '),
  );
  const count = (each: FindingStatus) => findings.filter(({ status }) => status === each).length;
  const summary = `${count('problem')} problems, ${count('warning')} warnings, ${count('ok')} ok`;
  return [...lines, '', summary].join('\n');
}

export const findingsJson = (findings: readonly Finding[]): string =>
  JSON.stringify({ ok: !hasProblem(findings), checks: findings }, null, 2);

const sentences = (message: string, change: string | undefined): string =>
  change === undefined ? message : `${message.replace(/\.$/, '')}. ${change}`;
