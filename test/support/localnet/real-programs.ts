/** Folder with binaries of the programs, as `tidegate programs pull` writes them; empty where there are none. */
export const programsFolder = process.env['LOCALNET_PROGRAMS'] ?? '';

/** Whether they are of before 1.11, as those are that the golden data was recorded with. */
export const isRecordedBuild = process.env['LOCALNET_PROGRAMS_BUILD'] === 'before-1.11';
