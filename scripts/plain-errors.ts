/** Errors whose message is meant for whoever runs the command. */
const plain = new Set([
  'ConfigError',
  'EmbeddedPostgresError',
  'MigrationError',
  'DatabaseUnfit',
  'DumpError',
  'AnchorError',
]);

/** Runs a command to its end: whatever goes wrong is said, in a sentence where there is one, and ends it with 1. */
export async function tellPlainly(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    console.error(plain.has(error.name) ? error.message : error.stack);
    process.exitCode = 1;
  }
}
