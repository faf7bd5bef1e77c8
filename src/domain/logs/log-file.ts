/** The file of a log among ours. */
export function logFile(tokenHash: string): string {
  return `log-${tokenHash}`
}
