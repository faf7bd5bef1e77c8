export function imageFile(id: string): string {
  return `firmware-${id.replace('_', '-')}`
}
