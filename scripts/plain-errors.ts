import { outliveReaders, sentenceOf } from '#server/plain-errors.ts';

/** Runs a command to its end: whatever goes wrong is said, in a sentence where there is one, and ends it with 1. */
export async function tellPlainly(command: () => Promise<void>): Promise<void> {
  outliveReaders();
  try {
    await command();
  } catch (error) {
    console.error(sentenceOf(error));
    process.exitCode = 1;
  }
}
