/**
 * Folder with program binaries, as written by `tidegate programs pull`; empty if there are none.
 */
export const programsFolder = process.env['LOCALNET_PROGRAMS'] ?? '';

/** Whether the binaries are older than 1.11, like those that recorded the golden data. */
export const isRecordedBuild = process.env['LOCALNET_PROGRAMS_BUILD'] === 'before-1.11';
