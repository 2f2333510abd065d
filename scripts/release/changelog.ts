type ChangelogSection = {
  /** `Unreleased`, or a version. */
  readonly version: string;
  /** Empty if there is none. */
  readonly date: string;
  readonly text: string;
};

const HEADING = /^## \[?([^\]\s]+)\]?(?: - (\S+))?[ \t]*$/gm;

/** The sections of a changelog in the format of Keep a Changelog, newest first. */
export function changelogSections(changelog: string): ChangelogSection[] {
  const headings = [...changelog.matchAll(HEADING)];
  return headings.map(({ 0: line, 1: version = '', 2: date = '', index }, i) => {
    const end = headings[i + 1]?.index ?? changelog.length;
    return { version, date, text: `\n${changelog.slice(index + line.length, end).trim()}\n` };
  });
}
