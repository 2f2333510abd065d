/** Metrics of one process in the Prometheus text format. */
export type ProcessMetricsText = { readonly worker: string; readonly text: string };

type Family = { readonly head: string[]; readonly samples: string[] };

/** The metrics of several processes as one text: each sample gets the label `worker`. */
export function mergeMetrics(processes: readonly ProcessMetricsText[]): string {
  const families = new Map<string, Family>();
  for (const { worker, text } of processes) {
    let family: Family = { head: [], samples: [] };
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const name = /^# HELP (\S+)/.exec(line)?.[1];
      if (name !== undefined) {
        family = families.get(name) ?? { head: [], samples: [] };
        families.set(name, family);
      }
      if (!line.startsWith('#')) family.samples.push(withLabel(line, worker));
      else if (!family.head.includes(line)) family.head.push(line);
    }
  }
  const lines = [...families.values()].flatMap(({ head, samples }) => [...head, ...samples]);
  return `${lines.join('\n')}\n`;
}

function withLabel(sample: string, worker: string): string {
  const [, name = '', labels, rest = ''] = /^([^\s{]+)(?:\{(.*)\})?(\s.*)$/.exec(sample) ?? [];
  return `${name}{worker="${worker}"${labels === undefined ? '' : `,${labels}`}}${rest}`;
}
