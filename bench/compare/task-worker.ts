/** Work that is repeated on inputs numbered from 0. */
export type Task = {
  readonly inputs: number;
  /** Whether `run` returns a promise that the next run waits for. */
  readonly isAsync?: boolean;
  run(input: number): unknown;
  /** Results of the first inputs, in a form that both sides share. */
  sample(): unknown[] | Promise<unknown[]>;
};

/** The exported function of a module that creates the tasks of a side, and its input. */
export type TaskFactory = {
  readonly module: string;
  readonly name: string;
  readonly input: unknown;
};

export type WorkerRequest =
  | { readonly kind: 'prepare'; readonly maker: TaskFactory }
  | { readonly kind: 'sample'; readonly task: string }
  | { readonly kind: 'measure'; readonly task: string; readonly seconds: number };

/** Keeps results reachable, so that the compiler cannot drop the work. */
const results: unknown[] = new Array(64);

let tasks: Record<string, Task> = {};

process.on('message', async (request: WorkerRequest) => {
  process.send?.(await respond(request));
});

async function respond(request: WorkerRequest): Promise<unknown> {
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
  return task.isAsync === true ? measureAsync(task, seconds) : measure(task, seconds);
}

function taskNamed(name: string): Task {
  const task = tasks[name];
  if (task === undefined) throw new Error(`no task ${name}`);
  return task;
}

/**
 * CPU microseconds of one run, with every input used at least once. Includes garbage collection and, unlike wall
 * time, excludes other programs of the machine.
 */
function measure(task: Task, seconds: number): number {
  const end = performance.now() + seconds * 1000;
  const before = process.cpuUsage();
  let runs = 0;
  do {
    for (let i = 0; i < results.length; i++, runs++) results[i] = task.run(runs % task.inputs);
  } while (performance.now() < end || runs < task.inputs);
  return microsSince(before) / runs;
}

/** The same for asynchronous tasks; waiting costs no CPU time. */
async function measureAsync(task: Task, seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1000;
  const before = process.cpuUsage();
  let runs = 0;
  do {
    results[runs % results.length] = await task.run(runs % task.inputs);
    runs++;
  } while (performance.now() < end || runs < task.inputs);
  return microsSince(before) / runs;
}

function microsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
