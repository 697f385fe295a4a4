// The built worker as a text; the build script puts it here.
declare module "worker-source" { const text: string; export default text; }
