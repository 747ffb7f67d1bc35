import { appendFileSync, cpSync } from "node:fs";
import { join } from "node:path";
import { type Folder, makeFolder } from "../../packages/core/src/testing/files.ts";

/** Prints lines, one after another, and returns what it counted. */
const COUNTS = `export const run = async ({ log, params }) => {
  for (let line = 1; line <= params.lines; line++) {
    log("line " + line + " of " + params.lines);
    await new Promise((done) => setTimeout(done, params.pause ?? 5));
  }
  return { status: "SUCCEEDED", artifacts: [], error: null, evidences: [{ kind: "COUNTED", data: { lines: params.lines } }] };
};
`;

/** Makes one file of each kind that the page can show. */
const MAKES = `import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAGAAAAAwCAIAAABhdOiYAAAnIElEQVR42hXZ8Ud7/xcH8O8f9pEkSZIkydVytVwt03K1PLVcLdNytUzLtEzLtEzLtEzL1XK1XM9lWq6Wq+VquVqSJEn66dv79Sc8vJxznuf87z8BHQI6BXQJ6BbQI6BXQJ+AfgEDAgYFDAkYFjgicFSgIHBM4LhAUeCEwEmBksApgdMCvQJmBMwKkAXMCZgXAAELAhYFKAKWBCwLCAlcEbgqUBW4JnBdYFTghsBNgXGBWwK3BSYF7AjYFZAWsCdgX0BWwIGAQwF5AUcCjgUUBZ4IPBWoCTwTeC5QF3gh8FKgIZACrwTWBFwLuBFgCrgVcCfAEnAv4EGALeBRwJMAR+CzwBeBrwLfBL4L/BD4KfBL4LfAH4G/Av/3nwsdLnS60OVCtws9LvS60OdCvwsDLgy6MOTCsIsjLo66KLg45uK4i6KLEy5Ouii5OOXitIteF2ZcmHVBdmHOhXkX4MKCC4suKC4subDsQsjFFRdXXVRdXHNx3cWoixsubroYd3HLxW0Xky7suLDrQtqFPRf2Xci6cODCoQt5F45cOHah6OKJi6cuai6euXjuou7ihYuXLhou0sUrF2suXLtw44Lpwq0Ldy5YLty78OCC7cKjC08uOC4+u/ji4quLby6+u/jh4qeLXy5+u/jj4q/rD0hEh4hOEV0iukX0iOgV0SeiX8SAiEERQyKGRY6IHBUpiBwTOS5SFDkhclKkJHJK5LRIr4gZEbMiZBFzIuZFQMSCiEURioglEcsiQiJXRK6KVEWuiVwXGRW5IXJTZFzklshtkUkROyJ2RaRF7InYF5EVcSDiUERexJGIYxFFkSciT0VqIs9EnovURV6IvBRpiKTIK5E1EdcibkSYIm5F3ImwRNyLeBBhi3gU8STCEfks8kXkq8g3ke8iP0R+ivwS+S3yR+Sv+AfkRocbnW50udHtRo8bvW70udHvxoAbg24MuTHs5oibo24Kbo65Oe6m6OaEm5NuSm5OuTntpteNGTdm3ZDdmHNj3g24seDGohuKG0tuLLsRcnPFzVU3VTfX3Fx3M+rmhpubbsbd3HJz282kGztu7LqRdmPPjX03sm4cuHHoRt6NIzeO3Si6eeLmqZuam2dunrupu3nh5qWbhpt088rNmhvXbty4Ybpx68adG5Yb9248uGG78ejGkxuOm89uvrj56uabm+9ufrj56eaXm99u/rj56/4DktAhoVNCl4RuCT0SeiX0SeiXMCBhUMKQhGGJIxJHJQoSxySOSxQlTkiclChJnJI4LdErYUbCrARZwpyEeQmQsCBhUYIiYUnCsoSQxBWJqxJViWsS1yVGJW5I3JQYl7glcVtiUsKOhF0JaQl7EvYlZCUcSDiUkJdwJOFYQlHiicRTiZrEM4nnEnWJFxIvJRoSKfFKYk3CtYQbCaaEWwl3EiwJ9xIeJNgSHiU8SXAkPkt8kfgq8U3iu8QPiZ8SvyR+S/yR+Cv9AXnQ4UGnB10edHvQ40GvB30e9Hsw4MGgB0MeDHs44uGoh4KHYx6Oeyh6OOHhpIeSh1MeTnvo9WDGg1kPZA/mPJj3AB4seLDogeLBkgfLHoQ8XPFw1UPVwzUP1z2Merjh4aaHcQ+3PNz2MOnBjge7HqQ92PNg34OsBwceHHqQ9+DIg2MPih6eeHjqoebhmYfnHuoeXnh46aHhIT288rDmwbUHNx6YHtx6cOeB5cG9Bw8e2B48evDkgePhs4cvHr56+Obhu4cfHn56+OXht4c/Hv56/oC86PCi04suL7q96PGi14s+L/q9GPBi0IshL4a9HPFy1EvByzEvx70UvZzwctJLycspL6e99Hox48WsF7IXc17MewEvFrxY9ELxYsmLZS9CXq54ueql6uWal+teRr3c8HLTy7iXW15ue5n0YseLXS/SXux5se9F1osDLw69yHtx5MWxF0UvT7w89VLz8szLcy91Ly+8vPTS8JJeXnlZ8+LaixsvTC9uvbjzwvLi3osHL2wvHr148sLx8tnLFy9fvXzz8t3LDy8/vfzy8tvLHy9/vX9APnT40OlDlw/dPvT40OtDnw/9Pgz4MOjDkA/DPo74OOqj4OOYj+M+ij5O+Djpo+TjlI/TPnp9mPFh1gfZhzkf5n2ADws+LPqg+LDkw7IPIR9XfFz1UfVxzcd1H6M+bvi46WPcxy0ft31M+rDjw64PaR/2fNj3IevDgQ+HPuR9OPLh2Ieijyc+nvqo+Xjm47mPuo8XPl76aPhIH698rPlw7cOND6YPtz7c+WD5cO/Dgw+2D48+PPng+Pjs44uPrz6++fju44ePnz5++fjt44+Pv74/IBkdMjpldMnoltEjo1dGn4x+GQMyBmUMyRiWOSJzVKYgc0zmuExR5oTMSZmSzCmZ0zK9MmZkzMqQZczJmJcBGQsyFmUoMpZkLMsIyVyRuSpTlbkmc11mVOaGzE2ZcZlbMrdlJmXsyNiVkZaxJ2NfRlbGgYxDGXkZRzKOZRRlnsg8lanJPJN5LlOXeSHzUqYhkzKvZNZkXMu4kWHKuJVxJ8OScS/jQYYt41HGkwxH5rPMF5mvMt9kvsv8kPkp80vmt8wfmb/yH5AfHX50+tHlR7cfPX70+tHnR78fA34M+jHkx7CfI36O+in4OebnuJ+inxN+Tvop+Tnl57SfXj9m/Jj1Q/Zjzo95P+DHgh+Lfih+LPmx7EfIzxU/V/1U/Vzzc93PqJ8bfm76Gfdzy89tP5N+7Pix60fajz0/9v3I+nHgx6EfeT+O/Dj2o+jniZ+nfmp+nvl57qfu54Wfl34aftLPKz9rflz7ceOH6cetH3d+WH7c+/Hgh+3Hox9Pfjh+Pvv54uern29+vvv54eenn19+fvv54+ev/w8I6AA6gS6gG+gBeoE+oB8YAAaBIWAYHAFHQQEcA8dBEZwAJ0EJnAKnwb+aMwPM/vs3mAPm8e8tAIuAAiwBy0AIXAFXQRVcA9fBKLgBboJxcAvcBpPADrALpIE9YB/IAgfAIZAHjoBjoAiegKegBp6B56AOXoCXoAESvAJrwDVwA5jALXAHWMA98ADYwCPwBDjgM/gCvoJv4Dv4AX6CX+A3+AP+4g8ogI4AOgPoCqA7gJ4AegPoC6A/gIEABgMYCmA4wJEARwMUAhwLcDxAMcCJACcDlAKcCnA6QG8AMwHMBiAHMBfAfAAIYCGAxQCUAJYCWA4gFOBKgKsBqgGuBbgeYDTAjQA3A4wHuBXgdoDJAHYC2A0gHcBeAPsBZAM4COAwgHwARwEcB1AM8CTA0wC1AM8CPA9QD/AiwMsAjQAZ4FWAtQCuA7gJwAzgNoC7AKwA7gN4CMAO4DGApwCcAJ8DfAnwNcC3AN8D/AjwM8CvAL8D/AnwN/AHpLBDYafCLoXdCnsU9irsU9ivcEDhoMIhhcMKRhSMKhAUjCkYVyAqmFAwqUBSMKVgWoFX4YzCWYWywjmF8wqhcEHhokJF4ZLCZYUhBSsKVhWoCtYUrCuIKthQsKkgrmBLwbaCpMIdhbsK0wr3FO4rzCo8UHioMK/wSOGxwqKCEwWnCjQFZwrOFegKLhRcKjAUUMGVgprCa4U3Ck2FtwrvFFoK7xU+KLQVPip8UugoeFbwouBVwZuCdwUfCj4VfCn4VvCj4FfB//4LsiPIziC7guwOsifI3iD7guwPciDIwSCHghwOYiSI0SCEIMaCGA9CDGIiiMkgpCCmgpgOwhvkTJCzQcpBzgU5HySCXAhyMUglyKUgl4MMBbESxGoQahBrQawHEQ1iI4jNIOJBbAWxHUQyyJ0gd4NMB7kX5H6Q2SAPgjwMMh/kUZDHQRaDOAniNAgtiLMgzoPQg7gI4jIIIwgGcRVELcjrIG+CNIO8DfIuSCvI+yAfgrSDfAzyKUgniOcgXoJ4DeItiPcgPoL4DOIriO8gfoL4Df4BhdgRYmeIXSF2h9gTYm+IfSH2hzgQ4mCIQyEOhzASwmgIQghjIYyHIIYwEcJkCFIIUyFMh+ANcSbE2RDlEOdCnA8RIS6EuBiiEuJSiMshhkJYCWE1BDWEtRDWQ4iGsBHCZgjxELZC2A4hGeJOiLshpkPcC3E/xGyIByEehpgP8SjE4xCLIZyEcBqCFsJZCOch6CFchHAZgvFX50K4CqEW4nWINyGaId6GeBeiFeJ9iA8h2iE+hvgUohPCcwgvIbyG8BbCewgfIXyG8BXCdwg/IfyG/oDC7AizM8yuMLvD7AmzN8y+MPvDHAhzMMyhMIfDGAljNAwhjLEwxsMQw5gIYzIMKYypMKbD8IY5E+ZsmHKYc2HOh4kwF8JcDFMJcynM5TBDYayEsRqGGsZaGOthRMPYCGMzjHgYW2Fsh5EMcyfM3TDTYe6FuR9mNsyDMA/DzId5FOZxmMUwTsI4DUML4yyM8zD0MC7CuAzDCINhXIVRC/M6zJswzTBvw7wL0wrzPsyHMO0wH8N8CtMJ4zmMlzBew3gL4z2MjzA+w/gK4zuMnzB+w39AKjtUdqrsUtmtskdlr8o+lf0qB1QOqhxSOaxiRMWoCkHFmIpxFaKKCRWTKiQVUyqmVXhVzqicVSmrnFM5rxIqF1QuqlRULqlcVhlSsaJiVYWqYk3Fuoqoig0VmyriKrZUbKtIqtxRuasyrXJP5b7KrMoDlYcq8yqPVB6rLKo4UXGqQlNxpuJcha7iQsWlCkP91yOvVNRUXqu8UWmqvFV5p9JSea/yQaWt8lHlk0pHxbOKFxWvKt5UvKv4UPGp4kvFt4ofFb/qH1CEHRF2RtgVYXeEPRH2RtgXYX+EAxEORjgU4XAEIxGMRiBEMBbBeARiBBMRTEYgRTAVwXQE3ghnIpyNUI5wLsL5CBHhQoSLESoRLkW4HGEogpUIViNQI1iLYD2CaAQbEWxGEI9gK4LtCJIR7kS4G2E6wr0I9yPMRngQ4WGE+QiPIjyOsBjBSQSnEWgRnEVwHoEewUUElxEYETCCqwhqEV5HeBOhGeFthHcRWhHeR/gQoR3hY4RPEToRPEfwEsFrBG8RvEfwEcFnBF8RfEfwE8Fv5A8oyo4oO6PsirI7yp4oe6Psi7I/yoEoB6McinI4ipEoRqMQohiLYjwKMYqJKCajkKKYimI6Cm+UM1HORilHORflfJSIciHKxSiVKJeiXI4yFMVKFKtRqFGsRbEeRTSKjSg2o4hHsRXFdhTJKHei3I0yHeVelPtRZqM8iPIwynyUR1EeR1mM4iSK0yi0KM6iOI9Cj+IiissojOi/4eoqilqU11HeRGlGeRvlXZRWlPdRPkRpR/kY5VOUThTPUbxE8RrFWxTvUXxE8RnFVxTfUfxE8Rv9A4qxI8bOGLti7I6xJ8beGPti7I9xIMbBGIdiHI5hJIbRGIQYxmIYj0GMYSKGyRikGKZimI7BG+NMjLMxyjHOxTgfI2JciHExRiXGpRiXYwzFsBLDagxqDGsxrMcQjWEjhs0Y4jFsxbAdQzLGnRh3Y0zHuBfjfozZGA9iPIwxH+NRjMcxFmM4ieE0Bi2GsxjOY9BjuIjhMgYjBsZwFUMtxusYb2I0Y7yN8S5GK8b7GB9itGN8jPEpRieG5xheYniN4S2G9xg+YviM4SuG7xh+YviN/QHF2RFnZ5xdcXbH2RNnb5x9cfbHORDnYJxDcQ7HMRLHaBxCHGNxjMchxjERx2QcUhxTcUzH4Y1zJs7ZOOU45+KcjxNxLsS5GKcS51Kcy3GG4liJYzUONY61ONbjiMaxEcdmHPE4tuLYjiMZ506cu3Gm49yLcz/ObJwHcR7GmY/zKM7jOItxnMRxGocWx1kc53HocVzEcRmHEf83lV/FUYvzOs6bOM04b+O8i9OK8z7OhzjtOB/jfIrTieM5jpc4XuN4i+M9jo84PuP4iuM7jp84fuN/QAl2JNiZYFeC3Qn2JNibYF+C/QkOJDiY4FCCwwmMJDCagJDAWALjCYgJTCQwmYCUwFQC0wl4E5xJcDZBOcG5BOcTRIILCS4mqCS4lOBygqEEVhJYTUBNYC2B9QSiCWwksJlAPIGtBLYTSCa4k+BugukE9xLcTzCb4EGChwnmEzxK8DjBYgInCZwmoCVwlsB5AnoCFwlcJmAkwASuEqgleJ3gTYJmgrcJ3iVoJXif4EOCdoKPCT4l6CTwnMBLAq8JvCXwnsBHAp8JfCXwncBPAr+JP6AkO5LsTLIrye4ke5LsTbIvyf4kB5IcTHIoyeEkRpIYTUJIYiyJ8STEJCaSmExCSmIqiekkvEnOJDmbpJzkXJLzSSLJhSQXk1SSXEpyOclQEitJrCahJrGWxHoS0SQ2kthMIp7EVhLbSSST3ElyN8l0kntJ7ieZTfIgycMk80keJXmcZDGJkyROk9CSOEviPAk9iYskLpMwkv/i3FUStSSvk7xJ0kzyNsm7JK0k75N8SNJO8jHJpySdJJ6TeEniNYm3JN6T+EjiM4mvJL6T+EniN/kHlGJHip0pdqXYnWJPir0p9qXYn+JAioMpDqU4nMJICqMpCCmMpTCegpjCRAqTKUgpTKUwnYI3xZkUZ1OUU5xLcT5FpLiQ4mKKSopLKS6nGEphJYXVFNQU1lJYTyGawkYKmynEU9hKYTuFZIo7Ke6mmE5xL8X9FLMpHqR4mGI+xaMUj1MspnCSwmkKWgpnKZynoKdwkcJlCkYKTOEqhVqK1ynepGimeJviXYpWivcpPqRop/iY4lOKTgrPKbyk8JrCWwrvKXyk8JnCVwrfKfyk8Jv6A0qjI43ONLrS6E6jJ43eNPrS6E9jII3BNIbSGE5zJM3RNIU0x9IcT1NMcyLNyTSlNKfSnE7Tm8ZMGrNpyGnMpTGf/pfHF9JYTENJYymN5TRCaa6kuZqmmuZamutpRtPcSHMzzXiaW2lup5lMYyeN3TTSaeylsZ9GNo2DNA7TyKdxlMZxGsU0T9I8TVNL8yzN8zT1NC/SvEzTSJNpXqVZS+M6jZs0zDRu07hLw0rjPo2HNOw0HtN4SsNJ8znNlzRf03xL8z3NjzQ/0/xK8zvNnzR/039hNYOODDoz6MqgO4OeDHoz6MugP4OBDAYzGMpgOMORDEczFDIcy3A8QzHDiQwnM5QynMpwOkNvBjMZzGYgZzCXwXwGyGAhg8UMlAyWMljOIJThSoarGaoZrmW4nmE0w40MNzOMZ7iV4XaGyQx2MtjNIJ3BXgb7GWQzOMjgMIN8BkcZHGdQzPAkw9MMtQzPMjzPUM/wIsPLDI0MmeFVhrUMrjO4ycDM4DaDuwysDO4zeMjAzuAxg6cMnAyfM3zJ8DXDtwzfM/zI8DPDrwy/M/zJ8DfzB5RFRxadWXRl0Z1FTxa9WfRl0Z/FQBaDWQxlMZzlSJajWQpZjmU5nqWY5USWk1lKWU5lOZ2lN4uZLGazkLOYy2I++2+Rs5DFYhZKFktZLGcRynIly9Us1SzXslzPMprlRpabWcaz3MpyO8tkFjtZ7GaRzmIvi/0sslkcZHGYRT6LoyyOsyhmeZLlaZZalmdZnmepZ3mR5WWWRpbM8irLWhbXWdxkYWZxm8VdFlYW91k8ZGFn8ZjFUxZOls9ZvmT5muVblu9ZfmT5meVXlt9Z/mT5m/0DyqEjh84cunLozqEnh94c+nLoz2Egh8EchnIYznEkx9EchRzHchzPUcxxIsfJHKUcp3KcztGbw0wOsznIOczlMJ8DcljIYTEHJYelHJZzCOW4kuNqjmqOazmu5xjNcSPHzRzjOW7luJ1jMoedHHZzSOewl8N+DtkcDnI4zCGfw1EOxzkUczzJ8TRHLcezHM9z1HO8yPEyRyNH5niVYy2H6xxucjBzuM3hLgcrh/scHnKwc3jM4SkHJ8fnHF9yfM3xLcf3HD9y/MzxK8fvHH9y/M39AeXRkUdnHl15dOfRk0dvHn159OcxkMdgHkN5DOc5kudonkKeY3mO5ynmOZHnZJ5SnlN5TufpzWMmj9k85Dzm8pjP/9sALuSxmIeSx1Iey3mE8lzJczVPNc+1PNfzjOa5kedmnvE8t/LczjOZx04eu3mk89jLYz+PbB4HeRzmkc/jKI/jPIp5nuR5mqeW51me53nqeV7keZmnkSfzvMqzlsd1Hjd5mHnc5nGXh5XHfR4Pedh5PObxlIeT53OeL3m+5vmW53ueH3l+5vmV53eeP3n+5v+ACugooLOArgK6C+gpoLeAvgL6CxgoYLCAoQKGCxwpcLRAocCxAscLFAucKHCyQKnAqQKnC/QWMFPAbAFyAXMFzBeAAhYKWCxAKWCpgOUCQgWuFLhaoFrgWoHrBUYL3Chws8B4gVsFbheYLGCngN0C0gXsFbBfQLaAgwIOC8gXcFTAcQHFAk8KPC1QK/CswPMC9QIvCrws0CiQBV4VWCvguoCbAswCbgu4K8Aq4L6AhwLsAh4LeCrAKfC5wJcCXwt8K/C9wI8CPwv8KvC7wJ8Cfwt/QEV0FNFZRFcR3UX0FNFbRF8R/UUMFDFYxFARw0WOFDlapFDkWJHjRYpFThQ5WaRU5FSR00V6i5gpYrYIuYi5IuaL/1bHC0UsFqEUsVTEchGhIleKXC1SLXKtyPUio0VuFLlZZLzIrSK3i0wWsVPEbhHpIvaK2C8iW8RBEYdF5Is4KuK4iGKRJ0WeFqkVeVbkeZF6kRdFXhZpFMkir4qsFXFdxE0RZhG3RdwVYRVxX8RDEXYRj0U8FeEU+VzkS5GvRb4V+V7kR5GfRX4V+V3kT5G/xT+gEjpK6Cyhq4TuEnpK6C2hr4T+EgZKGCxhqIThEkdKHC1RKHGsxPESxRInSpwsUSpxqsTpEr0lzJQwW4JcwlwJ8yWghIUSFktQSlgqYbmEUIkrJa6WqJa4VuJ6idESN0rcLDFe4laJ2yUmS9gpYbeEdAl7JeyXkC3hoITDEvIlHJVwXEKxxJMST0vUSjwr8bxEvcSLEi9LNEpkiVcl1kq4LuGmBLOE2xLuSrBKuC/hoQS7hMcSnkpwSnwu8aXE1xLfSnwv8aPEzxK/Svwu8afE39IfkIYODZ0aujR0a+jR0KuhT0O/hgENgxqGNAxrHNE4qlHQOKZxXKOocULjpEZJ45TGaY1eDTMaZjXIGuY0zGuAhgUNixoUDUsaljWENK5oXNWoalzTuK4xqnFD46bGuMYtjdsakxp2NOxqSGvY07CvIavhQMOhhryGIw3HGooaTzSeatQ0nmk816hrvNB4qdHQSI1XGmsarjXcaDA13Gq402BpuNfwoMHW8KjhSYOj8Vnji8ZXjW8a3zV+aPzU+KXxW+OPxl/tD6iMjjI6y+gqo7uMnjJ6y+gro7+MgTIGyxgqY7jMkTJHyxTKHCtzvEyxzIkyJ8uUypwqc7pMbxkzZcyWIZcxV8Z8GShjoYzFMpQylspYLiNU5kqZq2WqZa6VuV5mtMyNMjfLjJe5VeZ2mckydsrYLSNdxl4Z+2Vkyzgo47CMfBlHZRyXUSzzpMzTMrUyz8o8L1Mv86LMyzKNMlnmVZm1Mq7LuCnDLOO2jLsyrDLuy3gowy7jsYynMpwyn8t8KfO1zLcy38v8KPOzzK8yv8v8KfO3/Aeko0NHp44uHd06enT06ujT0a9jQMegjiEdwzpHdI7qFHSO6RzXKeqc0DmpU9I5pXNap1fHjI5ZHbKOOR3zOqBjQceiDkXHko5lHSGdKzpXdao613Su64zq3NC5qTOuc0vnts6kjh0duzrSOvZ07OvI6jjQcagjr+NIx7GOos4Tnac6NZ1nOs916jovdF7qNHRS55XOmo5rHTc6TB23Ou50WDrudTzosHU86njS4eh81vmi81Xnm853nR86P3V+6fzW+aPzV/8DqqCjgs4KuirorqCngt4K+iror2CggsEKhioYrnCkwtEKhQrHKhyvUKxwosLJCqUKpyqcrtBbwUwFsxXIFcxVMF8BKlioYLECpYKlCpYrCFW4UuFqhWqFaxWuVxitcKPCzQrjFW5VuF1hsoKdCnYrSFewV8F+BdkKDio4rCBfwVEFxxUUKzyp8LRCrcKzCs8r1Cu8qPCyQqNCVnhVYa2C6wpuKjAruK3grgKrgvsKHiqwK3is4KkCp8LnCl8qfK3wrcL3Cj8q/Kzwq8LvCn8q/K38ARnsMNhpsMtgt8Eeg70G+wz2GxwwOGhwyOCwgREDowYEA2MGxg2IBiYMTBqQDEwZmDbgNThjcNagbHDO4LxBGFwwuGhQMbhkcNlgyMCKgVUDqoE1A+sGogY2DGwaiBvYMrBtIGlwx+CuwbTBPYP7BrMGDwweGswbPDJ4bLBo4MTAqQHNwJmBcwO6gQsDlwYM49919cpAzeC1wRuDpsFbg3cGLYP3Bh8M2gYfDT4ZdAw8G3gx8GrgzcC7gQ8Dnwa+DHwb+DHwa/yF1So7quyssqvK7ip7quytsq/K/ioHqhyscqjK4SpGqhitQqhirIrxKsQqJqqYrEKqYqqK6Sq8Vc5UOVulXOVclfNVosqFKherVKpcqnK5ylAVK1WsVqFWsVbFehXRKjaq2KwiXsVWFdtVJKvcqXK3ynSVe1XuV5mt8qDKwyrzVR5VeVxlsYqTKk6r0Ko4q+K8Cr2KiyouqzCqYBVXVdSqvK7ypkqzytsq76q0qryv8qFKu8rHKp+qdKp4ruKlitcq3qp4r+Kjis8qvqr4ruKnit/qH1CNHTV21thVY3eNPTX21thXY3+NAzUO1jhU43ANIzWM1iDUMFbDeA1iDRM1TNYg1TBVw3QN3hpnapytUa5xrsb5GlHjQo2LNSo1LtW4XGOohpUaVmtQa1irYb2GaA0bNWzWEK9hq4btGpI17tS4W2O6xr0a92vM1nhQ42GN+RqPajyusVjDSQ2nNWg1nNVwXoNew0UNlzUYtX9n+asaajVe13hTo1njbY13NVo13tf4UKNd42ONTzU6NTzX8FLDaw1vNbzX8FHDZw1fNXzX8FPDb+0PqM6OOjvr7Kqzu86eOnvr7Kuzv86BOgfrHKpzuI6ROkbrEOoYq2O8DrGOiTom65DqmKpjug5vnTN1ztYp1zlX53ydqHOhzsU6lTqX6lyuM1THSh2rdah1rNWxXke0jo06NuuI17FVx3YdyTp36tytM13nXp37dWbrPKjzsM58nUd1HtdZrOOkjtM6tDrO6jivQ6/joo7LOow6WMdVHbU6r+u8qdOs87bOuzqtOu/rfKjTrvOxzqc6nTqe63ip47WOtzre6/io47OOrzq+6/ip47f+B2Syw2SnyS6T3SZ7TPaa7DPZb3LA5KDJIZPDJkZMjJoQTIyZGDchmpgwMWlCMjFlYtqE1+SMyVmTssk5k/MmYXLB5KJJxeSSyWWTIRMrJlZNqCbWTKybiJrYMLFpIm5iy8S2iaTJHZO7JtMm90zum8yaPDB5aDJv8sjkscmiiRMTpyY0E2cmzk3oJi5MXJowTNDElYmayWuTNyZNk7cm70xaJu9NPpi0TT6afDLpmHg28WLi1cSbiXcTHyY+TXyZ+DbxY+LX/ANqsKPBzga7GuxusKfB3gb7GuxvcKDBwQaHGhxuYKSB0QaEBsYaGG9AbGCigckGpAamGphuwNvgTIOzDcoNzjU43yAaXGhwsUGlwaUGlxsMNbDSwGoDagNrDaw3EG1go4HNBuINbDWw3UCywZ0GdxtMN7jX4H6D2QYPGjxsMN/gUYPHDRYbOGngtAGtgbMGzhvQG7ho4LIBowE2cNVArcHrBm8aNBu8bfCuQavB+wYfGrQbfGzwqUGngecGXhp4beCtgfcGPhr4bOCrge8Gfhr4bfwBWeyw2Gmxy2K3xR6LvRb7LPZbHLA4aHHI4rCFEQujFgQLYxbGLYgWJixMWpAsTFmYtuC1OGNx1qJscc7ivEVYXLC4aFGxuGRx2WLIwoqFVQuqhTUL6xaiFjYsbFqIW9iysG0haXHH4q7FtMU9i/sWsxYPLB5azFs8snhssWjhxMKpBc3CmYVzC7qFCwuXFgwLtHBloWbx2uKNRdPircU7i5bFe4sPFm2LjxafLDoWni28WHi18Gbh3cKHhU8LXxa+LfxY+LX+gJrsaLKzya4mu5vsabK3yb4m+5scaHKwyaEmh5sYaWK0CaGJsSbGmxCbmGhisgmpiakmppvwNjnT5GyTcpNzTc43iSYXmlxsUmlyqcnlJkNNrDSx2oTaxFoT601Em9hoYrOJeBNbTWw3kWxyp8ndJtNN7jW532S2yYMmD5vMN3nU5HGTxSZOmjhtQmvirInzJvQmLpq4bMJogk1cNVFr8rrJmybNJm+bvGvSavK+yYcm7SYfm3xq0mniuYmXJl6beGvivYmPJj6b+Griu4mfJn6bf0A2O2x22uyy2W2zx2avzT6b/TYHbA7aHLI5bGPExqgNwcaYjXEboo0JG5M2JBtTNqZteG3O2Jy1KducszlvEzYXbC7aVGwu2Vy2GbKxYmPVhmpjzca6jaiNDRubNuI2tmxs20ja3LG5azNtc8/mvs2szQObhzbzNo9sHtss2jixcWpDs3Fm49yGbuPCxqUNwwZtXNmo2by2eWPTtHlr886mZfPe5oNN2+ajzSebjo1nGy82Xm282Xi38WHj08aXjW8bPzZ+7T+gFjta7Gyxq8XuFnta7G2xr8X+FgdaHGxxqMXhFkZaGG1BaGGshfEWxBYmWphsQWphqoXpFrwtzrQ426Lc4lyL8y2ixYUWF1tUWlxqcbnFUAsrLay2oLaw1sJ6C9EWNlrYbCHewlYL2y0kW9xpcbfFdIt7Le63mG3xoMXDFvMtHrV43GKxhZMWTlvQWjhr4bwFvYWLFi5bMFpgC1ct1Fq8bvGmRbPF2xbvWrRavG/xoUW7xccWn1p0Wnhu4aWF1xbeWnhv4aOFzxa+Wvhu4aeF39YfkMMOh50Ouxx2O+xx2Ouwz2G/wwGHgw6HHA47GHEw6kBwMOZg3IHoYMLBpAPJwZSDaQdehzMOZx3KDucczjuEwwWHiw4Vh0sOlx2GHKw4WHWgOlhzsO4g6mDDwaaDuIMtB9sOkg53HO46TDvcc7jvMOvwwOGhw7zDI4fHDosOThycOtAcnDk4d6A7uHBw6cBwQAdXDmoOrx3eODQd3jq8c2g5vHf44NB2+OjwyaHj4NnBi4NXB28O3h18OPh08OXg28GPg1/nD6jNjjY72+xqs7vNnjZ72+xrs7/NgTYH2xxqc7iNkTZG2xDaGGtjvA2xjYk2JtuQ2phqY7oNb5szbc62Kbc51+Z8m2hzoc3FNpU2l9pcbjPUxkobq22obay1sd5GtI2NNjbbiLex1cZ2G8k2d9rcbTPd5l6b+21m2zxo87DNfJtHbR63WWzjpI3TNrQ2zto4b0Nv46KNyzaMNtjGVRu1Nq/bvGnTbPO2zbs2rTbv23xo027zsc2nNp02ntt4aeO1jbc23tv4aOOzja82vtv4aeO3jf8DN75w8Ct5s3wAAAAASUVORK5CYII=";
export const run = ({ inputs, params, artifactsDir }) => {
  const made = (name, format, bytes) => {
    writeFileSync(join(artifactsDir, name), bytes);
    return { name, path: name, format, sha256: createHash("sha256").update(bytes).digest("hex") };
  };
  return {
    status: "SUCCEEDED",
    artifacts: [
      made("summary", "md", "# Summary for " + params.title + "\\n\\n| region | sales |\\n|---|---|\\n| North | 12 |\\n\\n<script>document.title = 'broken'</script>\\n"),
      made("page", "html", "<h1>" + params.title + "</h1>\\n<script>document.title = 'broken'</script>\\n"),
      made("picture", "png", Buffer.from(PNG, "base64")),
      made("document", "pdf", readFileSync(inputs[0].path)),
      made("archive", "zip", Buffer.from([80, 75, 5, 6])),
    ],
    evidences: [],
    error: null,
  };
};
`;

const REGISTRY = `
  - name: counts
    description: Counts lines, slowly.
    implementation: "skills/impl/counts.mjs:run"
    inputs: []
    outputs: { artifacts: [], evidences: [{ kind: COUNTED, schema: { fields: [lines] } }] }
    params:
      schema:
        type: object
        required: [lines]
        properties:
          lines: { type: integer, minimum: 1, maximum: 100000, description: How many lines to print. }
          pause: { type: number, default: 5, description: Milliseconds between two lines. }
          loud: { type: boolean }
          mode: { enum: [fast, careful], default: fast }
          names: { type: array, items: { type: string } }
          more: { type: object, properties: { note: { type: string }, level: { type: integer } } }
          extra: { type: object, description: Anything else. }
    idempotency: { cache: true }
  - name: makes
    description: Makes a file of each kind.
    implementation: "skills/impl/makes.mjs:run"
    inputs: [{ kind: FILE, role: document }]
    outputs:
      artifacts:
        - { name: summary, format: md, path_template: "workspace/artifacts/{task_id}/{run_id}/summary.md" }
        - { name: page, format: html, path_template: "workspace/artifacts/{task_id}/{run_id}/page.html" }
        - { name: picture, format: png, path_template: "workspace/artifacts/{task_id}/{run_id}/picture.png" }
        - { name: document, format: pdf, path_template: "workspace/artifacts/{task_id}/{run_id}/document.pdf" }
        - { name: archive, format: zip, path_template: "workspace/artifacts/{task_id}/{run_id}/archive.zip" }
      evidences: []
    params: { schema: { type: object, properties: { title: { type: string } } } }
    idempotency: { cache: true }
`;

const RELEASE = `version: 1
plan: release
title: Release 1.4
tasks:
  - { id: notes, title: Draft the notes, skill: text_extract, inputs: [{ file: documents/terms.docx }] }
  - { id: count, title: Count the lines, skill: counts, inputs: [], params: { lines: 40, pause: 25 } }
  - id: review
    title: Review the notes
    depends_on: [notes]
    requirements:
      - { name: sources, kind: FILE, required: true, min_count: 2, allowed_types: [md, txt] }
      - { name: hash, kind: SKILL_OUTPUT, required: false, skill: file_fingerprint, evidence: FILE_HASH }
  - id: sign
    title: Sign it off
    depends_on: [review, count]
    requirements: [{ name: sign_off, kind: CONFIRMATION, required: true }]
  - { id: publish, title: Publish, skill: file_fingerprint, depends_on: [sign], inputs: [{ file: report.liquid }] }
`;

/** A project with the example plan of the repository, a plan that waits for people, and skills that take their time. */
export function makeWorkScene(): Folder {
  const folder = makeFolder({
    "repo/.git/": "",
    "repo/.agents/skills/": "",
    "repo/release.yaml": RELEASE,
    "repo/hello.liquid": "# Hello {{ name }}\n\nBest wishes\n",
  });
  cpSync(join(import.meta.dirname, "../../examples/05-plan"), folder.at("repo"), { recursive: true });
  folder.write({ "repo/skills/impl/counts.mjs": COUNTS, "repo/skills/impl/makes.mjs": MAKES });
  appendFileSync(folder.at("repo/skills/registry.yaml"), REGISTRY);
  return folder;
}
