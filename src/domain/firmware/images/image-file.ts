/** The file of an image among ours; its id is hexadecimal behind `fw_`. */
export function imageFile(id: string): string {
  return `firmware-${id.replace('_', '-')}`
}
