export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="8" fill="#0b6b53"/>
<path d="M18 4 8 18h7l-2 10 11-15h-7z" fill="#fff"/>
</svg>
`
