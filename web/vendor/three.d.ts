// three.js describes its types in another package; here its names are of any type.
export const AmbientLight: any, BoxGeometry: any, BufferAttribute: any, Color: any, ConeGeometry: any, CylinderGeometry: any;
export const DirectionalLight: any, DoubleSide: any, FrontSide: any, Group: any, LineMaterial: any, LineSegments2: any, LineSegmentsGeometry: any, Mesh: any;
export const MeshLambertMaterial: any, OrbitControls: any, OrthographicCamera: any, PerspectiveCamera: any, Scene: any;
export const SphereGeometry: any, TorusGeometry: any, Vector3: any, WebGLRenderer: any;
