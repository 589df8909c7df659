/** @type {import('next').NextConfig} */
export default { output: 'standalone', outputFileTracingRoot: import.meta.dirname };
