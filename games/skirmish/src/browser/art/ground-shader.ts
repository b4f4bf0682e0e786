/** How a point of the ground looks: land by height and slope, with contours and cliffs; water by depth, with a shallow edge, foam and a slow shimmer. */

export const GROUND_VERTEX = `#version 300 es
in vec2 aPlace;
uniform mat3 uProjectionMatrix;
uniform mat3 uWorldTransformMatrix;
uniform mat3 uTransformMatrix;
out vec2 vPlace;
void main() {
  vPlace = aPlace;
  mat3 toScreen = uProjectionMatrix * uWorldTransformMatrix * uTransformMatrix;
  gl_Position = vec4((toScreen * vec3(aPlace, 1.0)).xy, 0.0, 1.0);
}`;

export const GROUND_FRAGMENT = `#version 300 es
in vec2 vPlace;
uniform sampler2D uRelief;
uniform sampler2D uNoise;
uniform float uSize;
uniform float uAcross;
uniform float uSeconds;
uniform float uScale;
out vec4 colour;

const float WATER = 20.0;

vec3 land(float height, vec2 rise, float hollow, vec4 near, vec4 far) {
  vec3 mud = vec3(0.205, 0.225, 0.205);
  vec3 low = vec3(0.165, 0.250, 0.235);
  vec3 middle = vec3(0.225, 0.300, 0.255);
  vec3 high = vec3(0.315, 0.345, 0.285);
  vec3 top = vec3(0.430, 0.425, 0.370);
  float at = height + (far.g - 0.5) * 10.0;
  vec3 base = mix(mud, low, smoothstep(20.0, 25.0, height));
  base = mix(base, middle, smoothstep(32.0, 42.0, at));
  base = mix(base, high, smoothstep(54.0, 68.0, at));
  base = mix(base, top, smoothstep(76.0, 92.0, at));
  // Dry patches, and grain that fades out where it would flicker.
  base *= 0.90 + 0.20 * far.g;
  base = mix(base, base * vec3(1.16, 1.06, 0.86), smoothstep(0.52, 0.75, far.a) * 0.7);
  float detail = smoothstep(0.5, 1.6, uScale);
  base *= 1.0 + detail * ((near.r - 0.5) * 0.16 + (near.g - 0.5) * 0.16);
  base *= 1.0 - detail * 0.13 * smoothstep(0.90, 1.0, near.b) * smoothstep(0.42, 0.60, far.b);

  float slope = length(rise);
  float cliff = smoothstep(0.46, 0.66, slope);
  float strata = 0.5 + 0.5 * sin(height * 1.9 + near.g * 5.0) * smoothstep(0.35, 1.3, uScale);
  vec3 rock = mix(vec3(0.120, 0.130, 0.150), vec3(0.235, 0.240, 0.250), strata) * (0.78 + 0.44 * near.g);
  base = mix(base, rock, cliff);

  // Light from the upper left; hollows are darker, edges of plateaus brighter.
  float light = 1.0 + clamp((rise.x + rise.y) * 0.62, -0.62, 0.75);
  light *= 1.0 - clamp(hollow * 0.030, -0.20, 0.42);
  return base * light * 1.16;
}

/** Lines of equal height, one CSS pixel wide. Plateaus lie between them. */
float contour(float height, float lines) {
  float at = (height - 6.0) / lines;
  float width = max(fwidth(at), 1e-4);
  float away = abs(fract(at - 0.5) - 0.5) / width;
  return (1.0 - smoothstep(0.5, 1.4, away)) * (1.0 - smoothstep(0.08, 0.26, width));
}

vec3 water(float height, vec4 far) {
  float depth = clamp((WATER - height) / WATER, 0.0, 1.0);
  float first = texture(uNoise, vPlace / 150.0 + vec2(uSeconds * 0.012, uSeconds * 0.007)).a;
  float second = texture(uNoise, vPlace / 97.0 - vec2(uSeconds * 0.009, uSeconds * 0.014)).a;
  vec3 base = mix(vec3(0.100, 0.300, 0.330), vec3(0.045, 0.150, 0.215), smoothstep(0.0, 0.35, depth));
  base = mix(base, vec3(0.022, 0.072, 0.122), smoothstep(0.25, 0.95, depth));
  float swell = first * second;
  base *= 0.86 + 0.55 * swell;
  float glint = smoothstep(0.47, 0.56, swell) * (0.30 - 0.2 * depth);
  base += vec3(0.25, 0.55, 0.60) * glint;
  // Waves that run up the shore, and the line where they end.
  float run = sin((WATER - height) * 1.5 - uSeconds * 0.9 + far.g * 9.0);
  float foam = smoothstep(0.75, 1.0, run) * (1.0 - smoothstep(0.03, 0.26, depth)) * 0.35;
  foam += (1.0 - smoothstep(0.0, 0.045, depth)) * 0.5;
  return mix(base, vec3(0.52, 0.80, 0.80), clamp(foam, 0.0, 1.0) * 0.7);
}

void main() {
  vec2 inside = clamp(vPlace, vec2(0.0), vec2(uSize));
  vec4 relief = texture(uRelief, (inside / uSize * (uAcross - 1.0) + 0.5) / uAcross);
  vec4 near = texture(uNoise, vPlace / 88.0);
  vec4 far = texture(uNoise, vPlace / 610.0);
  float height = relief.z;
  // No branch around derivatives.
  float lines = contour(height, 12.0);
  // Land and water meet within a pixel.
  float edge = max(fwidth(height), 1e-4);
  float dry = clamp((height - WATER) / edge + 0.5, 0.0, 1.0);
  vec3 base = vec3(0.0);
  if (dry < 1.0) base = water(height, far);
  if (dry > 0.0) {
    vec3 ground = land(height, relief.xy, relief.w, near, far);
    ground = mix(ground, vec3(0.60, 0.80, 0.76), lines * 0.17);
    // Wet ground along the shore.
    ground *= 0.72 + 0.28 * smoothstep(WATER, WATER + 2.5, height);
    base = mix(base, ground, dry);
  }
  float beyond = length(vPlace - inside);
  base = mix(base, vec3(0.020, 0.027, 0.051), smoothstep(0.0, 140.0, beyond));
  colour = vec4(base, 1.0);
}`;
