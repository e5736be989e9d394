import { mailWorker } from './mail-worker.ts';
import { planWorker } from './plan-worker.ts';
import type { Worker } from './workers.ts';

/** Every queue's worker, one line each. */
export const workers: readonly Worker[] = [mailWorker, planWorker];
