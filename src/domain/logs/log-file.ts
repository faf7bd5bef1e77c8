export function logFile(tokenHash: string): string {
  return `log-${tokenHash}`
}
