/** A wrong setting: its message is a Chinese sentence that names the variable. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
