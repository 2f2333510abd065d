import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The license texts of the packages that the given files, relative to `root`, are from. */
export function licensesOf(root, files) {
  const folders = files.flatMap(
    (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
  );
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return `${name}\n\n${licenseText(join(root, folder))}\n`;
    })
    .join('\n\n');
}

/** Some packages only name their license. */
function licenseText(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8').trim();
  const { license, homepage } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`${folder} has no license`);
  return `License: ${license}. ${homepage ?? ''}`.trim();
}
