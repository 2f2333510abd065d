import { expect, test } from 'vitest';
import { readDeployFile } from '../../support/deploy/deploy-files.ts';
import { startApi } from '../../support/http/test-api.ts';

/** Names of metrics in a text, without the suffixes that Prometheus adds to histograms. */
function metricNames(text: string): readonly string[] {
  const found = text.matchAll(/\b(?:tidegate|process|nodejs)_[a-z_]+\b/g);
  const names = [...found].map(([name]) =>
    name.replace(/(_duration_seconds)_(bucket|sum|count)$/, '$1'),
  );
  return [...new Set(names)].toSorted();
}

async function declaredMetrics(): Promise<ReadonlySet<string>> {
  const { url } = await startApi();
  const text = await (await fetch(`${url}/metrics`)).text();
  return new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name));
}

test('every metric of the alert rules and the dashboard is declared', async () => {
  const declared = await declaredMetrics();
  for (const path of ['prometheus/tidegate.rules.yml', 'grafana/tidegate.json']) {
    const names = metricNames(readDeployFile(path));
    expect(names.length).toBeGreaterThan(8);
    expect([path, names.filter((name) => !declared.has(name))]).toEqual([path, []]);
  }
});
