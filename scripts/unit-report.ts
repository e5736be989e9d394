import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { type Counts, REPEATED, shortened } from './counts.ts';

interface Failure {
  readonly message: string;
  readonly stack?: string;
  /** What the runner found when it lost a process of its own: its exit code or signal. */
  readonly cause?: { readonly message?: string };
}

const told = (errors: readonly Failure[]): string =>
  shortened(
    errors
      .flatMap(({ message, stack, cause }) => [stack ?? message, cause?.message])
      .filter((text) => text !== undefined)
      .join('\n'),
  );

/** Whether a process ended before its file did. Whoever runs the suite runs that file once more. */
const isBreakdown = ({ cause }: Failure): boolean =>
  cause?.message?.startsWith('Worker exited unexpectedly') ?? false;

const failureOf = (test: TestCase): string[] => {
  const { state, errors } = test.result();
  if (!errors || errors.length === 0) return [];
  const name = `${test.module.relativeModuleId} > ${test.fullName}`;
  return [`${name}${state === 'passed' ? REPEATED : ''}\n${told(errors)}`];
};

/** What is wrong with a file outside of its tests: it does not load, or what it does before or after them fails. */
const failuresAround = (module: TestModule): string[] =>
  [module, ...module.children.allSuites()]
    .map((part) => part.errors())
    .filter((errors) => errors.length > 0)
    .map((errors) => `${module.relativeModuleId}\n${told(errors)}`);

const ended = (module: TestModule): boolean => !['queued', 'pending'].includes(module.state());

/** Writes what came out of a run into the file that `UNIT_REPORT` names, as `Counts`. */
export default class UnitReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly Failure[]): void {
    const tests = modules.filter(ended).flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const around = modules.flatMap(failuresAround);
    const beside = unhandled.filter((error) => !isBreakdown(error));
    const counts: Counts = {
      passed: count('passed'),
      failed: count('failed') + around.length + beside.length,
      skipped: count('skipped'),
      failures: [...tests.flatMap(failureOf), ...around, ...unhandled.map((error) => told([error]))],
      unfinished: modules.filter((module) => !ended(module)).map(({ relativeModuleId }) => relativeModuleId),
    };
    writeFileSync(process.env.UNIT_REPORT ?? '', JSON.stringify(counts));
  }
}
