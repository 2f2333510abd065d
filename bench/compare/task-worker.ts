/** One thing that a side does, over and over, on inputs numbered from 0. */
export type Task = {
  readonly inputs: number;
  /** Whether `run` gives a promise, which the next run waits for. */
  readonly waits?: boolean;
  run(input: number): unknown;
  /** What `run` gives for each of the first inputs, in a form that the two sides can be compared by. */
  sample(): unknown[] | Promise<unknown[]>;
};

/** Which exported function of which module makes the tasks of a side, by name, and what it makes them of. */
export type TaskFactory = {
  readonly module: string;
  readonly name: string;
  readonly input: unknown;
};

export type WorkerRequest =
  | { readonly kind: 'prepare'; readonly maker: TaskFactory }
  | { readonly kind: 'sample'; readonly task: string }
  | { readonly kind: 'measure'; readonly task: string; readonly seconds: number };

/** Keeps results reachable, so that no work can be left out by the compiler. */
const kept: unknown[] = new Array(64);

let tasks: Record<string, Task> = {};

process.on('message', async (request: WorkerRequest) => {
  process.send?.(await answer(request));
});

async function answer(request: WorkerRequest): Promise<unknown> {
  switch (request.kind) {
    case 'prepare': {
      const { module, name, input } = request.maker;
      tasks = await (await import(module))[name](input);
      return Object.keys(tasks);
    }
    case 'sample':
      return taskNamed(request.task).sample();
    case 'measure':
      return measureNamed(request.task, request.seconds);
  }
}

function measureNamed(name: string, seconds: number): number | Promise<number> {
  const task = taskNamed(name);
  return task.waits === true ? measureWaiting(task, seconds) : measure(task, seconds);
}

function taskNamed(name: string): Task {
  const task = tasks[name];
  if (task === undefined) throw new Error(`no task ${name}`);
  return task;
}

/**
 * CPU microseconds of one run, every input used at least once. Garbage collection is part of it; the
 * other programs of the machine, which a clock would see, are not.
 */
function measure(task: Task, seconds: number): number {
  const end = performance.now() + seconds * 1000;
  const before = process.cpuUsage();
  let runs = 0;
  do {
    for (let i = 0; i < kept.length; i++, runs++) kept[i] = task.run(runs % task.inputs);
  } while (performance.now() < end || runs < task.inputs);
  return microsSince(before) / runs;
}

/** The same where there are waits, which cost no CPU time. */
async function measureWaiting(task: Task, seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1000;
  const before = process.cpuUsage();
  let runs = 0;
  do {
    kept[runs % kept.length] = await task.run(runs % task.inputs);
    runs++;
  } while (performance.now() < end || runs < task.inputs);
  return microsSince(before) / runs;
}

function microsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
