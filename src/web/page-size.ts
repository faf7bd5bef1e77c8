/** How many rows a page of a list may have (`size` in its address), and has until a number is chosen. */
export const PAGE_SIZES = ['25', '50', '100', '200'] as const
export const DEFAULT_PAGE_SIZE = 50

export function pageSizeOf(chosen: string | undefined): number {
  return Number(PAGE_SIZES.find((one) => one === chosen) ?? DEFAULT_PAGE_SIZE)
}
