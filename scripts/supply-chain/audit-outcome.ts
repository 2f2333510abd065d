type AuditOutcome =
  | { readonly kind: 'clean' }
  | { readonly kind: 'vulnerable'; readonly lines: readonly string[] }
  /** The registry refuses audits, or was not reached. */
  | { readonly kind: 'unanswered'; readonly reason: string };

type Report = {
  readonly message?: unknown;
  readonly error?: { readonly summary?: unknown };
  readonly vulnerabilities?: Readonly<Record<string, Vulnerability>>;
};

type Vulnerability = {
  readonly severity: string;
  readonly range: string;
  /** Advisories, or names of packages that have some. */
  readonly via: readonly (string | { readonly title?: string; readonly url?: string })[];
};

/** Reads what `npm audit --json` prints. */
export function readAudit(text: string): AuditOutcome {
  const report = parseReport(text);
  if (report === undefined) return { kind: 'unanswered', reason: 'npm printed no JSON' };
  const { vulnerabilities, message, error } = report;
  if (vulnerabilities === undefined) {
    // the message can have the address of the registry
    const status = /^\d{3}\b|\bE[A-Z]{5,}\b/.exec(String(message ?? error?.summary ?? ''));
    return { kind: 'unanswered', reason: status?.[0] ?? 'no report' };
  }
  const lines = Object.entries(vulnerabilities).map(([name, { severity, range, via }]) => {
    const advisories = via.map((each) =>
      typeof each === 'string' ? `through ${each}` : `${each.title ?? ''} ${each.url ?? ''}`,
    );
    return `${severity}: ${name} ${range}: ${advisories.join('; ')}`;
  });
  return lines.length === 0 ? { kind: 'clean' } : { kind: 'vulnerable', lines };
}

function parseReport(text: string): Report | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
