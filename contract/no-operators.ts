/** Who changes something without being an operator, as the change record and the log call them. No operator may take such a name. */
export const noOperators = {
  /** The players' site. */
  platform: '平台接口',
  /** A command on the server itself. */
  command: '服务器命令',
} as const;
