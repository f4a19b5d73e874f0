/** A shield with a check mark, for the browser's tab. */
export const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<path fill="#0f766e" d="M16 2 4 6.5V15c0 7.5 5 12.6 12 15 7-2.4 12-7.5 12-15V6.5z"/>
<path fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round" d="m10 16 4.5 4.5L22.5 12"/>
</svg>
`;
